package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.EngineStack;
import dev.penstock.engine.Guard;
import dev.penstock.engine.Leasing;
import dev.penstock.engine.StoreOutageEvent;
import dev.penstock.engine.StoreOutageListener;
import dev.penstock.internal.Expect;
import dev.penstock.spi.NewKeyListener;
import dev.penstock.spi.StackObserver;
import dev.penstock.spi.StoreLoad;
import dev.penstock.spi.TripListener;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports the state of the store to a Micrometer registry. Register it with
 * {@code RedisEngine.builder(uri).listener(meters)}, then call {@code meters.of(guard)} and the same for other engines
 * around the store.
 */
public final class StoreMeters implements TripListener, StoreOutageListener, StackObserver {
    private static final double MICROS_A_MILLI = 1e3;
    private static final double MILLIS_A_SECOND = 1e3;
    private static final long NANOS_A_MICRO = 1_000;
    private static final double[] UP_TO_MILLIS = {0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 3_000};
    private static final double[] UP_TO_ASKS = {1, 2, 4, 8, 16, 32, 64};

    private final MeterRegistry registry;
    private final DistributionSummary latency;
    private final DistributionSummary batches;
    private final Map<Kind, LongAdder> failures = new EnumMap<>(Kind.class);
    private final LongAdder trips = new LongAdder();
    private final LongAdder tripMicros = new LongAdder();
    private final LongAccumulator slowestMicros = new LongAccumulator(Math::max, 0);
    private final ShardTrips shards;
    private final ShardFallbacks fallbacks;
    private final ShardLoads loads;
    private final NewKeyMeters newKeys;
    private volatile @Nullable Guard guard;
    private volatile @Nullable Since late;
    private final List<Since> counters = new CopyOnWriteArrayList<>();
    private volatile boolean isMuted;

    /** Registers the meters, and measures time with the system clock. */
    public StoreMeters(MeterRegistry registry) {
        this(registry, Clock.system());
    }

    /**
     * Creates the metrics.
     *
     * @param clock the clock for rates
     */
    public StoreMeters(MeterRegistry registry, Clock clock) {
        this.registry = Expect.present(registry, "registry");
        this.shards = new ShardTrips(registry, Expect.present(clock, "clock"));
        this.fallbacks = new ShardFallbacks(registry);
        this.loads = new ShardLoads(registry, clock);
        this.newKeys = new NewKeyMeters(registry, () -> isMuted);
        this.latency = DistributionSummary.builder("rate.limiter.redis.latency.ms")
                .description("Duration of round trips to Redis, in milliseconds. Only with Redis.")
                .serviceLevelObjectives(UP_TO_MILLIS)
                .register(registry);
        this.batches = DistributionSummary.builder("rate.limiter.redis.batch.size")
                .description("Number of decisions sent to Redis in one batch. Only with Redis.")
                .serviceLevelObjectives(UP_TO_ASKS)
                .register(registry);
        for (Kind kind : Kind.values()) {
            failures.put(kind, new LongAdder());
            FunctionCounter.builder("rate.limiter.redis.errors", this, meters -> meters.failures(kind))
                    .description(
                            "Failed round trips to Redis by kind: timeout (including answers after the deadline), connection, refused, script, replicas (too few acknowledged a charge in time), other. Only with Redis.")
                    .tag("kind", AllowedBlockedCounters.lower(kind))
                    .register(registry);
        }
    }

    /**
     * Ignores all trips, and the decisions of the engines around the store, until {@link #unmute}. Used during a
     * warm-up.
     */
    public void mute() {
        isMuted = true;
    }

    /** Starts to count. */
    public void unmute() {
        counters.forEach(Since::begin);
        isMuted = false;
    }

    /** A growing count, minus its value when counting began. */
    private final class Since {
        private final DoubleSupplier figure;
        private volatile double begun;

        Since(DoubleSupplier figure) {
            this.figure = figure;
        }

        void begin() {
            begun = figure.getAsDouble();
        }

        double value() {
            return isMuted ? 0 : figure.getAsDouble() - begun;
        }
    }

    @Override
    public TripListener trips() {
        return this;
    }

    @Override
    public StoreOutageListener outages() {
        return this;
    }

    @Override
    public void onBuilt(EngineStack stack) {
        of(stack.leasing()).of(stack.denyCache()).of(stack.guard());
    }

    /** Also reports the state of a guard. Supports only one. */
    public StoreMeters of(Guard engine) {
        guard = Expect.present(engine, "guard");
        fallbacks.of(engine);
        Since answers = new Since(() -> engine.health().lateAnswers());
        counters.add(answers);
        late = answers;
        counter(
                "rate.limiter.fallback.mode",
                "Number of times that failure modes took over from Redis or from one of its shards. Only with Redis.",
                engine,
                each -> each.health().fallbacks());
        FunctionCounter.builder(
                        "rate.limiter.fallback",
                        engine,
                        each -> each.health().inFallback().toMillis() / MILLIS_A_SECOND)
                .description("Total time during which failure modes decided instead of Redis. Only with Redis.")
                .baseUnit("seconds")
                .register(registry);
        gauge(
                "rate.limiter.fallback.active",
                "1 while failure modes decide instead of Redis, or instead of one of its shards. Only with Redis.",
                () -> engine.isInFallback() ? 1 : 0);
        gauge(
                "rate.limiter.shards.in.fallback",
                "Number of shards for which failure modes make some or all decisions. Only with Redis.",
                () -> engine.shardsInFallback().size());
        for (Guard.Breaker state : Guard.Breaker.values()) {
            Gauge.builder("rate.limiter.breaker.state", () -> engine.health().breaker() == state ? 1 : 0)
                    .description(
                            "1 for the current state of the circuit breaker: closed, open or returning. In a Cluster, the worst state of any shard. Only with Redis.")
                    .tag("state", AllowedBlockedCounters.lower(state))
                    .register(registry);
        }
        gauge(
                "rate.limiter.settlements.waiting",
                "Settlements of permits that wait until Redis is back. Only with Redis.",
                () -> engine.stats().waitingSettlements());
        counter(
                "rate.limiter.settlements.lost",
                "Settlements that were dropped and never reached Redis. Their permits expire there. Only with Redis.",
                engine,
                each -> each.stats().lostSettlements());
        return this;
    }

    /** Also reports the counts of a deny cache. Supports only one. */
    public StoreMeters of(DenyCache engine) {
        counter(
                "rate.limiter.deny.cache.hits",
                "Requests denied by the deny cache, without a round trip to Redis. Only with Redis.",
                () -> engine.stats().denied());
        counter(
                "rate.limiter.deny.cache.misses",
                "Requests that the deny cache passed on to a lease or to Redis. Only with Redis.",
                () -> engine.stats().passedOn());
        return this;
    }

    /** Also reports the counts of leases. */
    public StoreMeters of(Leasing engine) {
        counter(
                "rate.limiter.lease.hits",
                "Requests decided from a lease, without a round trip to Redis. Only with Redis.",
                engine::decided);
        counter(
                "rate.limiter.lease.parts",
                "Allowed requests that were decided partly from a lease and partly by Redis. Only with Redis.",
                engine::decidedInPart);
        for (String reason : engine.skipped().keySet()) {
            Since since = new Since(() -> engine.skipped().getOrDefault(reason, 0L));
            counters.add(since);
            FunctionCounter.builder("rate.limiter.lease.skipped", since, Since::value)
                    .description(
                            "Requests under a leased policy that needed Redis because of something that cannot be leased, by reason: hold, id, concurrency, leaky_bucket, shadow, strict or other. Only with Redis.")
                    .tag("reason", reason)
                    .register(registry);
        }
        return this;
    }

    /** Counts the new keys of policies: {@code NewKeyBudget.builder(store).listener(meters.newKeys())}. */
    @Override
    public NewKeyListener newKeys() {
        return newKeys;
    }

    /** Registers a counter that excludes what a warm-up adds. */
    private void counter(String name, String description, DoubleSupplier figure) {
        Since since = new Since(figure);
        counters.add(since);
        counter(name, description, since, Since::value);
    }

    private <T> void counter(String name, String description, T of, ToDoubleFunction<T> count) {
        FunctionCounter.builder(name, of, count).description(description).register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private double failures(Kind kind) {
        Since answers = kind == Kind.TIMEOUT ? late : null;
        return counted(kind).sum() + (answers == null ? 0 : answers.value());
    }

    private LongAdder counted(Kind kind) {
        return Expect.present(failures.get(kind), "kind");
    }

    /**
     * Everything that was counted up to some time.
     *
     * @param fallbackMicros the total time during which failure modes decided instead of the store
     */
    record Totals(long trips, long tripMicros, long errors, long fallbackMicros) {
        static final Totals NOTHING = new Totals(0, 0, 0, 0);

        Totals minus(Totals other) {
            return new Totals(
                    trips - other.trips,
                    tripMicros - other.tripMicros,
                    errors - other.errors,
                    fallbackMicros - other.fallbackMicros);
        }
    }

    Totals totals() {
        double errors = Stream.of(Kind.values()).mapToDouble(this::failures).sum();
        Guard known = guard;
        long fallback = known == null ? 0 : known.health().inFallback().toNanos() / NANOS_A_MICRO;
        return new Totals(trips.sum(), tripMicros.sum(), (long) errors, fallback);
    }

    /** Returns the slowest trip since the last call. */
    long slowestMicros() {
        return slowestMicros.getThenReset();
    }

    /**
     * Returns the trips per second to each server of the store, by host and port, over the last ten seconds or since
     * the last call.
     */
    public Map<String, Double> tripsPerSecond() {
        return shards.perSecond();
    }

    @Override
    public void onEvent(StoreOutageEvent event) {
        fallbacks.onEvent(event);
    }

    @Override
    public void onLoad(String shard, StoreLoad load) {
        loads.heard(shard, load);
    }

    @Override
    public void onTrip(String shard, long micros) {
        fallbacks.add(shard);
        if (isMuted) {
            return;
        }
        shards.add(shard);
        trips.increment();
        tripMicros.add(micros);
        slowestMicros.accumulate(micros);
        latency.record(micros / MICROS_A_MILLI);
    }

    @Override
    public void onFailure(Kind kind) {
        if (!isMuted) {
            counted(kind).increment();
        }
    }

    @Override
    public void onBatch(int asks) {
        if (!isMuted) {
            batches.record(asks);
        }
    }
}
