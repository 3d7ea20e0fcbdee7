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
 * Tells a registry of Micrometer how it stands with the store: {@code RedisEngine.builder(uri).listener(meters)}, and {@code
 * meters.of(guard)} once that is built, as of the other engines around the store.
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

    public StoreMeters(MeterRegistry registry) {
        this(registry, Clock.system());
    }

    /** @param clock by which rates are told */
    public StoreMeters(MeterRegistry registry, Clock clock) {
        this.registry = Expect.present(registry, "registry");
        this.shards = new ShardTrips(registry, Expect.present(clock, "clock"));
        this.fallbacks = new ShardFallbacks(registry);
        this.loads = new ShardLoads(registry, clock);
        this.newKeys = new NewKeyMeters(registry, () -> isMuted);
        this.latency = DistributionSummary.builder("rate.limiter.redis.latency.ms")
                .description("How long trips to Redis took, in milliseconds; only with Redis.")
                .serviceLevelObjectives(UP_TO_MILLIS)
                .register(registry);
        this.batches = DistributionSummary.builder("rate.limiter.redis.batch.size")
                .description("How many decisions travelled to Redis together; only with Redis.")
                .serviceLevelObjectives(UP_TO_ASKS)
                .register(registry);
        for (Kind kind : Kind.values()) {
            failures.put(kind, new LongAdder());
            FunctionCounter.builder("rate.limiter.redis.errors", this, meters -> meters.failures(kind))
                    .description("Trips to Redis without an answer that could be used, by kind: timeout (also answers"
                            + " after the deadline), connection, refused, script, replicas (too few confirmed a charge in time), other;"
                            + " only with Redis.")
                    .tag("kind", AllowedBlockedCounters.lower(kind))
                    .register(registry);
        }
    }

    /** Ignores all trips, and what the engines around the store decide by themselves, until {@link #unmute}: for a warm-up. */
    public void mute() {
        isMuted = true;
    }

    /** Counts from now on. */
    public void unmute() {
        counters.forEach(Since::begin);
        isMuted = false;
    }

    /** A figure that only grows, less what it was when counting began. */
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

    /** Tells of a guard, too: of one. */
    public StoreMeters of(Guard engine) {
        guard = Expect.present(engine, "guard");
        fallbacks.of(engine);
        Since answers = new Since(() -> engine.health().lateAnswers());
        counters.add(answers);
        late = answers;
        counter(
                "rate.limiter.fallback.mode",
                "How often the store, or a shard of it, was given up; only with Redis.",
                engine,
                each -> each.health().fallbacks());
        FunctionCounter.builder(
                        "rate.limiter.fallback",
                        engine,
                        each -> each.health().inFallback().toMillis() / MILLIS_A_SECOND)
                .description("How long failure modes have decided in the store's place, in all; only with Redis.")
                .baseUnit("seconds")
                .register(registry);
        gauge(
                "rate.limiter.fallback.active",
                "1 while failure modes decide in the place of the store, or of a shard of it; only with Redis.",
                () -> engine.isInFallback() ? 1 : 0);
        gauge(
                "rate.limiter.shards.in.fallback",
                "How many shards of the store are given up or not yet asked for everything again; only with Redis.",
                () -> engine.shardsInFallback().size());
        for (Guard.Breaker state : Guard.Breaker.values()) {
            Gauge.builder("rate.limiter.breaker.state", () -> engine.health().breaker() == state ? 1 : 0)
                    .description(
                            "1 for the state that the circuit breaker is in: closed, open or returning; in a Cluster"
                                    + " that of the shard that is worst off;"
                                    + " only with Redis.")
                    .tag("state", AllowedBlockedCounters.lower(state))
                    .register(registry);
        }
        gauge(
                "rate.limiter.settlements.waiting",
                "Settlements of permits that wait for the store to be back; only with Redis.",
                () -> engine.stats().waitingSettlements());
        counter(
                "rate.limiter.settlements.lost",
                "Settlements that the store will never be told of, as such permits expire there; only with Redis.",
                engine,
                each -> each.stats().lostSettlements());
        return this;
    }

    /** Tells of a cache of denials, too: of one. */
    public StoreMeters of(DenyCache engine) {
        counter(
                "rate.limiter.deny.cache.hits",
                "Requests that were denied without a trip, because the store is certain to deny them; only with Redis.",
                () -> engine.stats().denied());
        counter(
                "rate.limiter.deny.cache.misses",
                "Requests that went past the deny cache to the store; only with Redis.",
                () -> engine.stats().passedOn());
        return this;
    }

    /** Tells of leases, too. */
    public StoreMeters of(Leasing engine) {
        counter(
                "rate.limiter.lease.hits",
                "Requests that were decided without a trip, by permits drawn ahead; only with Redis.",
                engine::decided);
        return this;
    }

    /** Counts the new keys of policies: {@code NewKeyBudget.builder(store).listener(meters.newKeys())}. */
    @Override
    public NewKeyListener newKeys() {
        return newKeys;
    }

    /** A counter of what a warm-up may add to. */
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
     * All that was counted up to some moment.
     *
     * @param fallbackMicros how long failure modes have decided in the store's place
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

    /** Of the trips since this was last asked. */
    long slowestMicros() {
        return slowestMicros.getThenReset();
    }

    /** Trips a second to each server of the store, by its host and port: over the last ten seconds, or since it was last asked. */
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
