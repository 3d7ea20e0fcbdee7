package dev.penstock.policy.envoy;

import dev.penstock.Costs;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of Envoy's request: entries in order, from the general to the specific.
 *
 * @param limit a limit that replaces any rule; null to use the rules
 * @param hitsAddend the cost, 0 to peek; null to use the request's cost
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

    /** A limit that is sent with the request. */
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

    /** Creates a descriptor from alternating keys and values. */
    public static EnvoyDescriptor of(String... keysAndValues) {
        int length = Expect.present(keysAndValues, "keysAndValues").length;
        Expect.that(length % 2 == 0, "keysAndValues", length, "a value for each key");
        Entry[] entries = new Entry[length / 2];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]);
        }
        return new EnvoyDescriptor(List.of(entries), null, null);
    }

    /** Returns a copy with its own limit. */
    public EnvoyDescriptor limit(long requestsPerUnit, EnvoyUnit unit) {
        return new EnvoyDescriptor(entries, new LimitOverride(requestsPerUnit, unit), hitsAddend);
    }

    /** Returns a copy with its own cost. */
    public EnvoyDescriptor hitsAddend(long hits) {
        return new EnvoyDescriptor(entries, limit, hits);
    }

    /**
     * Returns the descriptor as a separate request for policies. Its attributes are {@code domain}, {@code descriptor}
     * (the keys in order, joined by {@code /}, with {@code %} and {@code /} in a key escaped as {@code %25} and
     * {@code %2F}), and each key with its value.
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

    /** Returns the cost in a request with this addend, where 0 means that the request does not set one. */
    long cost(long requestHitsAddend) {
        return hitsAddend != null ? hitsAddend : Math.max(1, requestHitsAddend);
    }

    /**
     * Returns the quota group of the descriptor, which matters if its rule is in quota mode. A group is over its limit
     * if one of its descriptors is; the request is over its limit if all groups are. Descriptors with the same backend
     * and model form one group; every other descriptor is a group of its own.
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

    /** Returns the key's last value; empty if the key does not occur. */
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
