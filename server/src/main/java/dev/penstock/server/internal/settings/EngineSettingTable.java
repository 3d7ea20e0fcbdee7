package dev.penstock.server.internal.settings;

import dev.penstock.FailureMode;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.server.EngineSettings;
import dev.penstock.server.internal.settings.Setting.Sources;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link SettingTable} about the engines of a node. */
final class EngineSettingTable {
    static final Setting<Duration> MAX_WAIT = setting(
            "max_wait",
            SettingFormats.time(Duration.ofMillis(1), EngineSettings.LONGEST_WAIT),
            EngineSettings.DEFAULT.maxWait(),
            "how long a decision may wait in total while Redis is healthy, including this node's own delay. After that, it is denied as `overloaded`. Never less than `deadline`");
    static final Setting<Duration> REMEMBER_FOR = setting(
            "remember_for",
            SettingFormats.time(EngineSettings.SHORTEST_MEMORY, EngineSettings.LONGEST_MEMORY),
            EngineSettings.DEFAULT.rememberFor(),
            "how long the answer to a settled permit, or to a call with an idempotency key, is remembered. Use the same on all nodes");
    static final Setting<Integer> MEMORY_KEYS = setting(
            "memory.max_keys",
            SettingFormats.number("NUMBER", 1, EngineSettings.MOST_KEYS),
            null,
            "maximum number of keys that this node counts in memory, and of their permits. With Redis, these are only the keys of `local: true` limits. By default a million, or as many as fit in a quarter of the heap");
    static final Setting<WhenFull> MEMORY_WHEN_FULL = setting(
            "memory.when_full",
            SettingFormats.word(WhenFull.class),
            EngineSettings.DEFAULT.memory().whenFull(),
            "what happens to a new key when `memory.max_keys` are in use: `evict-oldest` forgets the key that would be idle first, `deny` denies the request, `allow` allows it without counting");
    static final Setting<Duration> OUTAGE_LOCAL_FOR = setting(
            "outage.local_for",
            SettingFormats.time(Duration.ofMillis(1), EngineSettings.LONGEST_LOCAL),
            EngineSettings.DEFAULT.outage().localFor(),
            "how long local shares decide while Redis is down. After that, `outage.then` decides. A policy whose `on_store_failure` has its own time limit ignores both settings");
    static final Setting<FailureMode> OUTAGE_THEN = setting(
            "outage.then",
            SettingFormats.word(FailureMode.class),
            EngineSettings.DEFAULT.outage().then(),
            "how limits are decided after `outage.local_for`: `local` (shares keep deciding), `open` or `closed`");
    static final Setting<Integer> OUTAGE_KEYS = setting(
            "outage.max_keys",
            SettingFormats.number("NUMBER", 1, EngineSettings.MOST_OUTAGE_KEYS),
            null,
            "maximum number of keys for which this node keeps the last report of Redis, to continue from it if Redis dies. Also the maximum number of permits whose calls wait for Redis. By default, one for every 4,000 bytes of heap, at most 100000");
    static final Setting<Integer> DENY_CACHE_KEYS = setting(
            "deny_cache.max_keys",
            SettingFormats.number("NUMBER", 1, EngineSettings.MOST_KEYS),
            EngineSettings.DEFAULT.denyCacheKeys(),
            "maximum number of keys whose denials this node repeats without asking Redis");
    static final Setting<Integer> LEASE_KEYS = setting(
            "leases.max_keys",
            SettingFormats.number("NUMBER", 1, EngineSettings.MOST_KEYS),
            EngineSettings.DEFAULT.leaseKeys(),
            "maximum number of keys whose demand this node tracks to lease permits from Redis. Only for `leased` policies");

    private EngineSettingTable() {}

    static List<Setting<?>> settings() {
        return List.of(
                MAX_WAIT,
                REMEMBER_FOR,
                MEMORY_KEYS,
                MEMORY_WHEN_FULL,
                OUTAGE_LOCAL_FOR,
                OUTAGE_THEN,
                OUTAGE_KEYS,
                DENY_CACHE_KEYS,
                LEASE_KEYS);
    }

    private static <T> Setting<T> setting(String name, SettingFormat<T> form, @Nullable T byDefault, String meaning) {
        return new Setting<>(name, form, byDefault, Sources.ALL, meaning);
    }
}
