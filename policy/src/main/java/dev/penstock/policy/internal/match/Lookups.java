package dev.penstock.policy.internal.match;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.reverseOrder;

import dev.penstock.policy.internal.match.IndexKey.OfBeginning;
import dev.penstock.policy.internal.match.IndexKey.OfEnding;
import dev.penstock.policy.internal.match.IndexKey.OfHash;
import dev.penstock.policy.internal.match.IndexKey.OfNetwork;
import dev.penstock.policy.internal.match.IndexKey.OfRoute;
import dev.penstock.policy.internal.match.IndexKey.OfValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Builds the lookups that find the numbers for a request: one for each kind of index key and each attribute. */
final class Lookups {
    /** Finds numbers by one property of a request. */
    interface Lookup {
        /**
         * Reports the number of each of its index keys that the request has. A number with several of those keys is
         * reported several times.
         */
        void find(Subject subject, IntConsumer found);
    }

    private static final Comparator<String> FROM_THE_END = Lookups::compareFromTheEnd;

    private Lookups() {}

    static Lookup[] of(Map<IndexKey, IntList> all) {
        List<Lookup> lookups = new ArrayList<>();
        for (var values : groups(all, OfValue.class, IndexKey::attribute, comparing(OfValue::value))) {
            lookups.add(by(value(values), equal(values, OfValue::value)));
        }
        for (var texts : groups(all, OfBeginning.class, IndexKey::attribute, comparing(OfBeginning::text))) {
            lookups.add(by(value(texts), new NestedTable<>(texts, naturalOrder())::find));
        }
        for (var texts : groups(all, OfEnding.class, IndexKey::attribute, comparing(OfEnding::text, FROM_THE_END))) {
            lookups.add(by(value(texts), new NestedTable<>(texts, FROM_THE_END)::find));
        }
        Comparator<OfNetwork> widerFirst = comparing(OfNetwork::first).thenComparing(OfNetwork::last, reverseOrder());
        for (var networks : groups(all, OfNetwork.class, IndexKey::attribute, widerFirst)) {
            String attribute = networks.firstKey().attribute();
            lookups.add(by(subject -> subject.address(attribute), new NestedTable<>(networks, naturalOrder())::find));
        }
        for (var routes : groups(all, OfRoute.class, IndexKey::attribute, comparing(OfRoute::pattern))) {
            RouteTable table = new RouteTable();
            routes.forEach((route, numbers) -> table.add(route.pattern(), numbers));
            lookups.add(by(value(routes), table::find));
        }
        for (var hashes : groups(all, OfHash.class, OfHash::source, comparing(OfHash::hashed))) {
            lookups.add(by(hashes.firstKey().source()::of, equal(hashes, OfHash::hashed)));
        }
        return lookups.toArray(Lookup[]::new);
    }

    /** Returns the index keys of one kind, grouped by the given function. */
    private static <H extends IndexKey> Collection<SortedMap<H, IntList>> groups(
            Map<IndexKey, IntList> all, Class<H> kind, Function<? super H, ?> key, Comparator<H> order) {
        Map<Object, SortedMap<H, IntList>> groups = new LinkedHashMap<>();
        all.forEach((handle, numbers) -> {
            if (kind.isInstance(handle)) {
                H own = kind.cast(handle);
                groups.computeIfAbsent(key.apply(own), each -> new TreeMap<>(order))
                        .put(own, numbers);
            }
        });
        return groups.values();
    }

    /** Returns the value of the attribute that the group is about. */
    private static Function<Subject, @Nullable String> value(SortedMap<? extends IndexKey, IntList> group) {
        String attribute = group.firstKey().attribute();
        return subject -> subject.value(attribute);
    }

    private static <H> BiConsumer<String, IntConsumer> equal(Map<H, IntList> handles, Function<H, String> text) {
        Map<String, IntList> byText = new HashMap<>();
        handles.forEach((handle, numbers) -> byText.put(text.apply(handle), numbers));
        return (value, found) -> {
            IntList numbers = byText.get(value);
            if (numbers != null) {
                numbers.forEach(found);
            }
        };
    }

    /** Finds by a property that a request may lack. */
    private static <T> Lookup by(Function<Subject, @Nullable T> own, BiConsumer<T, IntConsumer> find) {
        return (subject, found) -> {
            T value = own.apply(subject);
            if (value != null) {
                find.accept(value, found);
            }
        };
    }

    private static int compareFromTheEnd(String a, String b) {
        int i = a.length();
        int j = b.length();
        while (i > 0 && j > 0) {
            int compared = Character.compare(a.charAt(--i), b.charAt(--j));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(i, j);
    }
}
