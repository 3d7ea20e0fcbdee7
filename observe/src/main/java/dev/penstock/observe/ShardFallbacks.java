package dev.penstock.observe;

import dev.penstock.engine.Guard;
import dev.penstock.engine.StoreOutageEvent;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reports for each server of the store whether failure modes decide instead of it, for at most {@value #MOST} servers.
 * A server is known from its first trip or its first outage. Thread-safe.
 */
final class ShardFallbacks {
    static final int MOST = 100;

    /** The text between the store's name and the server's address in {@link StoreOutageEvent#store}. */
    private static final String AT = " at ";

    private final MeterRegistry registry;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Guard guard;

    ShardFallbacks(MeterRegistry registry) {
        this.registry = registry;
    }

    void of(Guard engine) {
        guard = engine;
    }

    void add(String server) {
        if (!known.contains(server)) {
            begin(server);
        }
    }

    void onEvent(StoreOutageEvent event) {
        int at = event.store().indexOf(AT);
        if (at >= 0) {
            add(event.store().substring(at + AT.length()));
        }
    }

    private synchronized void begin(String server) {
        if (known.size() < MOST && known.add(server)) {
            Gauge.builder("rate.limiter.shard.fallback.active", () -> isAway(server) ? 1 : 0)
                    .description(
                            "1 while failure modes decide instead of this Redis server or Cluster node. Only with Redis.")
                    .tag("shard", server)
                    .register(registry);
        }
    }

    private boolean isAway(String server) {
        Guard engine = guard;
        return engine != null
                && engine.shardsInFallback().stream()
                        .anyMatch(away -> away.equals(engine.name()) || away.endsWith(AT + server));
    }
}
