package dev.penstock.policy.envoy;

import dev.penstock.Costs;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Envoy asks about: entries in order, from the general to the special.
 *
 * @param limit holds in place of any rule; null for what the rules say
 * @param hitsAddend what it costs, 0 to look without charging; null for what the request says
 */
public record EnvoyDescriptor(
        List<Entry> entries,
        @Nullable LimitOverride limit,
        @Nullable Long hitsAddend) {
    /** A key with its value, which may be empty. */
    public record Entry(String key, String value) {
        public Entry {
            Expect.present(key, "key");
            Expect.present(value, "value");
        }
    }

    /** A limit that comes with the request. */
    public record LimitOverride(long requestsPerUnit, EnvoyUnit unit) {
        public LimitOverride {
            Expect.between(requestsPerUnit, 0, EnvoyRule.MOST_REQUESTS, "limit.requests_per_unit");
            Expect.present(unit, "limit.unit");
        }
    }

    public EnvoyDescriptor {
        entries = List.copyOf(Expect.present(entries, "entries"));
        if (hitsAddend != null) {
            Expect.between(hitsAddend, 0, Costs.MAX, "hits_addend");
        }
    }

    /** A descriptor of these keys and values in turn. */
    public static EnvoyDescriptor of(String... keysAndValues) {
        int length = Expect.present(keysAndValues, "keysAndValues").length;
        Expect.that(length % 2 == 0, "keysAndValues", length, "a value for each key");
        Entry[] entries = new Entry[length / 2];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]);
        }
        return new EnvoyDescriptor(List.of(entries), null, null);
    }

    /** The same with a limit of its own. */
    public EnvoyDescriptor limit(long requestsPerUnit, EnvoyUnit unit) {
        return new EnvoyDescriptor(entries, new LimitOverride(requestsPerUnit, unit), hitsAddend);
    }

    /** The same at a cost of its own. */
    public EnvoyDescriptor hitsAddend(long hits) {
        return new EnvoyDescriptor(entries, limit, hits);
    }

    /**
     * The descriptor as a request of its own, for policies: attributes {@code domain}, {@code descriptor} (the keys in order,
     * joined by {@code /}, with {@code %} and {@code /} of a key as {@code %25} and {@code %2F}), and each key with its
     * value.
     */
    public Request request(String domain, long requestHitsAddend) {
        Request request = Request.empty();
        for (Entry entry : entries) {
            request = request.with(entry.key(), entry.value());
        }
        return request.with("domain", domain)
                .with("descriptor", KeyPath.of(entries.stream().map(Entry::key).toList()))
                .cost(Costs.REQUESTS, cost(requestHitsAddend));
    }

    /** What it costs in a request with this addend, of which 0 means that nothing was said. */
    long cost(long requestHitsAddend) {
        return hitsAddend != null ? hitsAddend : Math.max(1, requestHitsAddend);
    }

    /**
     * What it is part of where its rule is in quota mode: a group is over its limit where one of its descriptors is, and the
     * request where all groups are. Those of one backend and model are one group, every other descriptor is one by itself.
     */
    public String quotaGroup() {
        String backend = value("backend_name");
        String model = value("model_name_override");
        return backend.isEmpty() && model.isEmpty()
                ? entries.stream()
                        .map(entry -> KeyPath.escaped(entry.key()) + "=" + KeyPath.escaped(entry.value()))
                        .collect(Collectors.joining("/"))
                : KeyPath.escaped(backend) + "|" + KeyPath.escaped(model);
    }

    /** The key's last value; empty where it does not come. */
    private String value(String key) {
        String value = "";
        for (Entry entry : entries) {
            if (entry.key().equals(key)) {
                value = entry.value();
            }
        }
        return value;
    }
}
