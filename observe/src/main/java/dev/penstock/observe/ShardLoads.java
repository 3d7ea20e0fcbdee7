package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.spi.StoreLoad;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * The memory and processor time of each server of the store, for at most {@value #MOST} servers. Memory is not reported
 * for a server that has been silent for a minute. Thread-safe.
 */
final class ShardLoads {
    static final int MOST = 100;

    private static final long FRESH_MICROS = 60_000_000;
    private static final double MICROS_A_SECOND = 1e6;

    private final MeterRegistry registry;
    private final Clock clock;
    private final Map<String, Server> servers = new ConcurrentHashMap<>();

    ShardLoads(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    private record LoadReport(StoreLoad load, long atMicros) {}

    /** The last report of one server. */
    private final class Server {
        private volatile LoadReport last;

        Server(LoadReport first) {
            this.last = first;
        }

        void register(String name) {
            gauge(
                    "rate.limiter.redis.memory.used",
                    "Memory that a Redis server uses, in bytes. Only with Redis.",
                    name,
                    StoreLoad::usedMemoryBytes);
            gauge(
                    "rate.limiter.redis.memory.max",
                    "Memory that a Redis server may use, in bytes: its maxmemory, or its machine's memory if it has none. Only with Redis.",
                    name,
                    load -> load.maxMemoryBytes() > 0 ? load.maxMemoryBytes() : Double.NaN);
            gauge(
                    "rate.limiter.redis.maxmemory.set",
                    "1 if a Redis server has a maxmemory. Only with Redis.",
                    name,
                    load -> load.bound() == StoreLoad.Bound.SETTING ? 1 : 0);
            FunctionCounter.builder(
                            "rate.limiter.redis.cpu", this, each -> each.last.load.cpuMicros() / MICROS_A_SECOND)
                    .description("Processor time that a Redis server has used since it started. Only with Redis.")
                    .baseUnit("seconds")
                    .tag("shard", name)
                    .register(registry);
        }

        private void gauge(String name, String description, String shard, ToDoubleFunction<StoreLoad> value) {
            Gauge.Builder<Server> gauge = Gauge.builder(name, this, each -> each.fresh(value));
            (name.contains(".memory.") ? gauge.baseUnit("bytes") : gauge)
                    .description(description)
                    .tag("shard", shard)
                    .register(registry);
        }

        private double fresh(ToDoubleFunction<StoreLoad> value) {
            LoadReport heard = last;
            return clock.micros() - heard.atMicros > FRESH_MICROS ? Double.NaN : value.applyAsDouble(heard.load);
        }
    }

    void heard(String name, StoreLoad load) {
        LoadReport heard = new LoadReport(load, clock.micros());
        Server known = servers.get(name);
        if (known != null) {
            known.last = heard;
        } else {
            begin(name, heard);
        }
    }

    private synchronized void begin(String name, LoadReport heard) {
        if (servers.size() < MOST && !servers.containsKey(name)) {
            Server server = new Server(heard);
            servers.put(name, server);
            server.register(name);
        }
    }
}
