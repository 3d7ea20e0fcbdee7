package dev.penstock.internal;

import dev.penstock.Limit;
import java.util.List;
import java.util.stream.Collectors;

/** How counters are named that nobody gave a name: by the policy, the limit, and the attributes that it counts by. */
public final class CounterName {
    private CounterName() {}

    /** A name that no other policy, limit or list of attributes has. */
    public static String of(String policy, Limit limit, List<String> attributeNames) {
        String names = attributeNames.stream().map(CounterName::escaped).collect(Collectors.joining("+"));
        return escaped(policy) + "/" + escaped(limit.counterWord()) + "/" + names;
    }

    private static String escaped(String name) {
        return name.replace("%", "%25").replace("/", "%2F").replace("+", "%2B");
    }
}
