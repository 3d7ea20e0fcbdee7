package dev.penstock.internal;

import dev.penstock.Limit;
import java.util.List;
import java.util.stream.Collectors;

/** The default names of counters, made of the policy, the limit, and the attributes that it counts by. */
public final class CounterName {
    private CounterName() {}

    /** Returns a name that no other combination of policy, limit and attributes has. */
    public static String of(String policy, Limit limit, List<String> attributeNames) {
        String names = attributeNames.stream().map(CounterName::escaped).collect(Collectors.joining("+"));
        return escaped(policy) + "/" + escaped(limit.counterWord()) + "/" + names;
    }

    private static String escaped(String name) {
        return name.replace("%", "%25").replace("/", "%2F").replace("+", "%2B");
    }
}
