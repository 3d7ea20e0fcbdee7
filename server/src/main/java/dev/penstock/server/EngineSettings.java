package dev.penstock.server;

import dev.penstock.FailureMode;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.Expect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the engines of a node decide, and how much memory they use.
 *
 * @param rememberFor how long the answer to a settled permit, or to a call with an idempotency key, is remembered
 * @param maxWait how long a decision may wait in total while Redis is healthy
 * @param memory the keys that are counted in this process
 * @param outage what happens while Redis is down
 * @param denyCacheKeys the maximum number of keys whose denials are repeated without Redis
 * @param leaseKeys the maximum number of keys whose demand is tracked to lease permits
 */
public record EngineSettings(
        Duration rememberFor, Duration maxWait, Memory memory, Outage outage, int denyCacheKeys, int leaseKeys) {
    public static final Duration SHORTEST_MEMORY = Duration.ofSeconds(1);
    public static final Duration LONGEST_MEMORY = Duration.ofDays(1);
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    public static final Duration LONGEST_LOCAL = Duration.ofDays(30);
    public static final int MOST_KEYS = 100_000_000;
    public static final int MOST_OUTAGE_KEYS = 10_000_000;

    public static final EngineSettings DEFAULT = new EngineSettings(
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            new Memory(null, WhenFull.EVICT_OLDEST),
            new Outage(Duration.ofMinutes(10), FailureMode.LOCAL, null),
            65_536,
            100_000);

    public EngineSettings {
        Expect.between(rememberFor.toMillis(), 1_000, LONGEST_MEMORY.toMillis(), "remember_for");
        Expect.millis(maxWait, LONGEST_WAIT, "max_wait");
        Expect.present(memory, "memory");
        Expect.present(outage, "outage");
        Expect.between(denyCacheKeys, 1, MOST_KEYS, "deny_cache.max_keys");
        Expect.between(leaseKeys, 1, MOST_KEYS, "leases.max_keys");
    }

    public EngineSettings withRememberFor(Duration other) {
        return new EngineSettings(other, maxWait, memory, outage, denyCacheKeys, leaseKeys);
    }

    public EngineSettings withMaxWait(Duration other) {
        return new EngineSettings(rememberFor, other, memory, outage, denyCacheKeys, leaseKeys);
    }

    public EngineSettings withMemory(Memory other) {
        return new EngineSettings(rememberFor, maxWait, other, outage, denyCacheKeys, leaseKeys);
    }

    public EngineSettings withOutage(Outage other) {
        return new EngineSettings(rememberFor, maxWait, memory, other, denyCacheKeys, leaseKeys);
    }

    /**
     * The keys that are counted in this process: all keys of a node without Redis, otherwise those of local limits.
     *
     * @param maxKeys the maximum number of keys under a limit, and of live permits; null to choose by the heap
     * @param whenFull what happens to a new key when that many are in use
     */
    public record Memory(@Nullable Integer maxKeys, WhenFull whenFull) {
        public Memory {
            if (maxKeys != null) {
                Expect.between(maxKeys, 1, MOST_KEYS, "memory.max_keys");
            }
            Expect.present(whenFull, "memory.when_full");
        }
    }

    /**
     * Settings for the time in which Redis is down.
     *
     * @param localFor how long local shares decide
     * @param then the failure mode after that
     * @param maxKeys the maximum number of keys for which the last report of Redis is kept; null to choose by the heap
     */
    public record Outage(
            Duration localFor, FailureMode then, @Nullable Integer maxKeys) {
        public Outage {
            Expect.millis(localFor, LONGEST_LOCAL, "outage.local_for");
            Expect.present(then, "outage.then");
            if (maxKeys != null) {
                Expect.between(maxKeys, 1, MOST_OUTAGE_KEYS, "outage.max_keys");
            }
        }
    }
}
