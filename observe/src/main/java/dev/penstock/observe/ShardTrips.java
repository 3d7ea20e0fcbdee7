package dev.penstock.observe;

import dev.penstock.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the trips to each server of the store, for at most {@value #MOST} servers; the rest share {@code (others)}.
 */
final class ShardTrips {
    static final int MOST = 100;

    private final MeterRegistry registry;
    private final Clock clock;
    private final Map<String, Shard> shards = new ConcurrentSkipListMap<>();

    ShardTrips(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** The trips to one server. */
    private final class Shard {
        private final LongAdder trips = new LongAdder();
        private final RecentRate rate = new RecentRate(clock, trips::sum);

        Shard(String name) {
            FunctionCounter.builder("rate.limiter.redis.shard.trips", trips, LongAdder::sum)
                    .description("Answered round trips to Redis, by server or Cluster node. Only with Redis.")
                    .tag("shard", name)
                    .register(registry);
        }
    }

    void add(String name) {
        Shard known = shards.get(name);
        (known == null ? begun(name) : known).trips.increment();
    }

    private synchronized Shard begun(String name) {
        String told = shards.size() < MOST ? name : Series.OTHERS;
        Shard known = shards.get(told);
        if (known != null) {
            return known;
        }
        Shard begun = new Shard(told);
        shards.put(told, begun);
        return begun;
    }

    /** Returns the trips per second to each server, by name. */
    Map<String, Double> perSecond() {
        Map<String, Double> rates = new TreeMap<>();
        shards.forEach((name, shard) -> rates.put(name, shard.rate.perSecond()));
        return rates;
    }
}
