package dev.penstock.redis;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Warns of servers that may drop counters when their memory is full: once, and again when others do. Thread-safe. */
final class EvictionPolicy {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final String SAFE = "noeviction";

    /** Who has been warned of, by policy. */
    private final Map<String, List<String>> known = new TreeMap<>();

    /** @param told what servers tell of themselves, by where they are */
    synchronized void warnIfUnsafe(Map<String, ServerInfo> told) {
        Map<String, List<String>> unsafe = new TreeMap<>();
        told.forEach((where, info) -> {
            String policy = info.evictionPolicy();
            if (!policy.isEmpty() && !policy.equals(SAFE)) {
                unsafe.computeIfAbsent(policy, unused -> new ArrayList<>()).add(where);
            }
        });
        unsafe.forEach((policy, servers) -> {
            if (!servers.equals(known.put(policy, servers))) {
                LOG.log(
                        Level.WARNING,
                        "redis at " + String.join(", ", servers) + ": maxmemory-policy " + policy
                                + " may drop counters when memory is full, and what is dropped starts anew (expected: "
                                + SAFE + ")");
            }
        });
    }
}
