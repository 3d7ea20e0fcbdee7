package dev.penstock.policy.internal.match;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.address.IpRanges;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A condition on an attribute of a request. Immutable. */
public sealed interface Condition {
    String attribute();

    boolean holds(Subject subject);

    /** Describes the accepted values for people: {@code acme or globex}. */
    String wanted();

    /** Accepts these values, in the attribute's usual spelling. */
    record OneOf(String attribute, Set<String> values) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            String value = subject.value(attribute);
            return value != null && values.contains(value);
        }

        @Override
        public String wanted() {
            return either(List.copyOf(values));
        }
    }

    record Prefix(String attribute, List<String> prefixes) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            String value = subject.value(attribute);
            if (value == null) {
                return false;
            }
            for (String prefix : prefixes) {
                if (value.startsWith(prefix)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String wanted() {
            return prefixes.stream().map(prefix -> prefix + "...").collect(Collectors.joining(" or "));
        }
    }

    /** Accepts a host, or all hosts below a domain. */
    record Host(String attribute, Set<String> names, List<String> endings) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            String value = subject.value(attribute);
            if (value == null) {
                return false;
            }
            if (names.contains(value)) {
                return true;
            }
            for (String ending : endings) {
                if (value.length() > ending.length() && value.endsWith(ending)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String wanted() {
            return either(Stream.concat(names.stream(), endings.stream().map(each -> "*" + each))
                    .toList());
        }
    }

    /** Accepts an address in one of these ranges. Messages show the ranges as they were written. */
    record InRange(String attribute, IpRanges ranges, List<String> written) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            IpAddress address = subject.address(attribute);
            return address != null && ranges.contains(address);
        }

        @Override
        public String wanted() {
            return either(written);
        }
    }

    /** Accepts a secret, compared by its hash. */
    record Hashed(String attribute, Set<String> hashes, KeyedHash hash) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            String value = subject.value(attribute);
            return value != null && hashes.contains(hash.of(value));
        }

        @Override
        public String wanted() {
            return either(List.copyOf(hashes));
        }
    }

    record Present(String attribute) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            return subject.request().attribute(attribute) != null;
        }

        @Override
        public String wanted() {
            return "any value";
        }
    }

    record OnRoute(List<RoutePattern> patterns) implements Condition {
        @Override
        public String attribute() {
            return AttributeNames.ROUTE;
        }

        @Override
        public boolean holds(Subject subject) {
            return mostSpecific(subject) != null;
        }

        /** Returns the most specific pattern that matches. */
        public @Nullable RoutePattern mostSpecific(Subject subject) {
            String path = subject.value(AttributeNames.ROUTE);
            if (path == null) {
                return null;
            }
            for (RoutePattern pattern : patterns) { // the most specific first
                if (pattern.matches(path)) {
                    return pattern;
                }
            }
            return null;
        }

        @Override
        public String wanted() {
            return either(patterns.stream().map(RoutePattern::toString).toList());
        }
    }

    record Not(Condition condition) implements Condition {
        @Override
        public String attribute() {
            return condition.attribute();
        }

        @Override
        public boolean holds(Subject subject) {
            return !condition.holds(subject);
        }

        @Override
        public String wanted() {
            return condition instanceof Present ? "none" : "not " + condition.wanted();
        }
    }

    /** Requires several conditions on one attribute. */
    record All(String attribute, List<Condition> conditions) implements Condition {
        @Override
        public boolean holds(Subject subject) {
            for (Condition condition : conditions) {
                if (!condition.holds(subject)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String wanted() {
            return conditions.stream().map(Condition::wanted).collect(Collectors.joining(", and "));
        }
    }

    private static String either(List<String> values) {
        int shown = Math.min(values.size(), 5);
        String text = values.stream().sorted().limit(shown).collect(Collectors.joining(" or "));
        return values.size() > shown ? text + " or one of " + (values.size() - shown) + " more" : text;
    }
}
