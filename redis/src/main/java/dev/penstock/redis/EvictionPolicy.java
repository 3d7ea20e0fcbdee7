package dev.penstock.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.System.Logger.Level;

/** Warns, once per connection, of a Redis that may drop counters when its memory is full. */
final class EvictionPolicy {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final String FIELD = "maxmemory_policy:";
    private static final String SAFE = "noeviction";

    private EvictionPolicy() {}

    /** Asks by INFO, which is allowed where CONFIG is not; where it is not either, nothing is said. */
    static void warnIfUnsafe(RedisClusterAsyncCommands<String, byte[]> commands, RedisAddress address) {
        commands.info("memory").thenAccept(info -> {
            String policy = of(info);
            if (!policy.isEmpty() && !policy.equals(SAFE)) {
                LOG.log(
                        Level.WARNING,
                        "redis at " + address + ": maxmemory-policy " + policy
                                + " may drop counters when memory is full, and what is dropped starts anew (expected: "
                                + SAFE + ")");
            }
        });
    }

    static String of(String info) {
        return info.lines()
                .filter(line -> line.startsWith(FIELD))
                .map(line -> line.substring(FIELD.length()).strip())
                .findFirst()
                .orElse("");
    }
}
