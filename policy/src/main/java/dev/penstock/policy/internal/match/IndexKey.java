package dev.penstock.policy.internal.match;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A property of a request by which matches that require it can be found. */
sealed interface IndexKey {
    String attribute();

    record OfValue(String attribute, String value) implements IndexKey {}

    record OfHash(Source source, String hashed) implements IndexKey {
        /** An attribute and how its values are hashed. */
        record Source(String attribute, KeyedHash hash) {
            @Nullable
            String of(Subject subject) {
                String value = subject.value(attribute);
                return value == null ? null : hash.of(value);
            }
        }

        @Override
        public String attribute() {
            return source.attribute();
        }
    }

    record OfRoute(RoutePattern pattern) implements IndexKey {
        @Override
        public String attribute() {
            return AttributeNames.ROUTE;
        }
    }

    record OfBeginning(String attribute, String text) implements IndexKey, NestedTable.Nest<String> {
        @Override
        public String first() {
            return text;
        }

        @Override
        public boolean contains(String value) {
            return value.startsWith(text);
        }
    }

    record OfEnding(String attribute, String text) implements IndexKey, NestedTable.Nest<String> {
        @Override
        public String first() {
            return text;
        }

        @Override
        public boolean contains(String value) {
            return value.endsWith(text);
        }
    }

    record OfNetwork(String attribute, IpAddress first, IpAddress last)
            implements IndexKey, NestedTable.Nest<IpAddress> {
        @Override
        public boolean contains(IpAddress value) {
            return first.isAtMost(value) && value.isAtMost(last);
        }
    }

    /**
     * Returns keys of which a request has at least one if the condition holds; empty if the condition cannot be
     * indexed.
     */
    static List<IndexKey> of(Condition condition) {
        List<IndexKey> handles = new ArrayList<>();
        String attribute = condition.attribute();
        if (condition instanceof Condition.OneOf one) {
            one.values().forEach(value -> handles.add(new OfValue(attribute, value)));
        } else if (condition instanceof Condition.OnRoute route) {
            route.patterns().forEach(pattern -> handles.add(new OfRoute(pattern)));
        } else if (condition instanceof Condition.Prefix prefix) {
            prefix.prefixes().forEach(text -> handles.add(new OfBeginning(attribute, text)));
        } else if (condition instanceof Condition.Host host) {
            host.names().forEach(name -> handles.add(new OfValue(attribute, name)));
            host.endings().forEach(ending -> handles.add(new OfEnding(attribute, ending)));
        } else if (condition instanceof Condition.InRange in) {
            in.ranges().all().forEach(range -> handles.add(new OfNetwork(attribute, range.first(), range.last())));
        } else if (condition instanceof Condition.Hashed hashed) {
            OfHash.Source source = new OfHash.Source(attribute, hashed.hash());
            hashed.hashes().forEach(hash -> handles.add(new OfHash(source, hash)));
        }
        return handles;
    }
}
