package dev.penstock.redis;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Warns once about servers that may evict counters when their memory is full, and again about a server whose policy
 * changes or that was safe in between. Thread-safe.
 */
final class EvictionPolicy {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final String SAFE = "noeviction";

    /** The unsafe policies by server. */
    private final Map<String, String> known = new HashMap<>();

    /** @param reports the servers' reports, by address. A server that is missing here stays as it was reported last */
    synchronized void warnIfUnsafe(Map<String, ServerInfo> reports) {
        Map<String, List<String>> unsafe = new TreeMap<>();
        Set<String> news = new TreeSet<>();
        reports.forEach((where, info) -> {
            String policy = info.evictionPolicy();
            if (policy.equals(SAFE)) {
                known.remove(where);
            } else if (!policy.isEmpty()) {
                unsafe.computeIfAbsent(policy, unused -> new ArrayList<>()).add(where);
                if (!policy.equals(known.put(where, policy))) {
                    news.add(policy);
                }
            }
        });
        for (String policy : news) {
            LOG.log(
                    Level.WARNING,
                    "redis at " + String.join(", ", unsafe.getOrDefault(policy, List.of())) + ": maxmemory-policy "
                            + policy + " may evict counters when memory is full. Evicted counters restart from zero"
                            + " (expected: " + SAFE + ")");
        }
    }
}
