package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.observe.HistoryReport.Outcomes;
import dev.penstock.observe.HistoryReport.Trips;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records decisions and the state of the store for each of the last {@value #SECONDS} seconds.
 *
 * <p>Decisions pay nothing for it: once a second it reads the counts of {@link DecisionMeters} and {@link StoreMeters}.
 * Memory is bounded: the first {@value #MOST_POLICIES} policies are recorded separately, the others under
 * {@code (others)}. A policy without any decision in all recorded seconds makes room for another.
 *
 * <p>It has no thread. Call {@link #turn} at the end of each second ({@link #untilNext}). After a late call, the counts
 * are spread evenly over the seconds since the last one. If the clock is set back, a new history begins.
 */
public final class History {
    /** The number of seconds that are kept. */
    public static final int SECONDS = 600;

    /** The number of policies that are recorded separately. */
    public static final int MOST_POLICIES = 100;

    private static final long MICROS_A_SECOND = 1_000_000;

    private final DecisionMeters meters;
    private final @Nullable StoreMeters store;
    private final Clock clock;
    private final Row total = new Row();
    private final Map<String, Row> policies = new HashMap<>();
    private final LastSeconds trips = new LastSeconds();
    private final LastSeconds errors = new LastSeconds();
    private final LastSeconds meanMicros = new LastSeconds();
    private final LastSeconds slowestMicros = new LastSeconds();
    private final LastSeconds fallback = new LastSeconds();
    private final LastSeconds overloaded = new LastSeconds();
    private Totals before;

    private long begun;

    /** The first second that has not ended yet. */
    private long next;

    /**
     * Creates an empty history.
     *
     * @param store null if there is none
     */
    public History(DecisionMeters meters, @Nullable StoreMeters store, Clock clock) {
        this.meters = Expect.present(meters, "meters");
        this.store = store;
        this.clock = Expect.present(clock, "clock");
        this.before = totals();
        this.begun = second();
        this.next = begun;
    }

    /** Everything that was counted up to some time. */
    private record Totals(
            DecisionTotals all,
            Map<String, DecisionTotals> policies,
            long byFallback,
            long overloaded,
            StoreMeters.Totals store) {}

    /** The decisions of one policy, or of all policies. */
    private static final class Row {
        private final LastSeconds allowed = new LastSeconds();
        private final LastSeconds denied = new LastSeconds();
        private final LastSeconds shadowDenied = new LastSeconds();
        private long lastSecond;

        void add(long from, int count, DecisionTotals counted) {
            allowed.spread(from, count, counted.allowed());
            denied.spread(from, count, counted.denied());
            shadowDenied.spread(from, count, counted.shadowDenied());
            if (!counted.isNothing()) {
                lastSecond = from + count - 1;
            }
        }

        Outcomes of(long from, int count) {
            return new Outcomes(allowed.of(from, count), denied.of(from, count), shadowDenied.of(from, count));
        }
    }

    private long second() {
        return Math.floorDiv(clock.micros(), MICROS_A_SECOND);
    }

    /** Returns the time until the current second ends. */
    public Duration untilNext() {
        return Duration.of(MICROS_A_SECOND - Math.floorMod(clock.micros(), MICROS_A_SECOND), ChronoUnit.MICROS);
    }

    /** Records the counts of the seconds that have ended since the last call. */
    public synchronized void turn() {
        long now = second();
        if (now == next) {
            return;
        }
        Totals totals = totals();
        // the clock was set, so it is unknown to which seconds the counts belong
        if (now < next || now - next > SECONDS) {
            policies.clear();
            begun = now;
        } else {
            take(next, (int) (now - next), totals);
        }
        before = totals;
        next = now;
    }

    private Totals totals() {
        return new Totals(
                meters.counted(),
                meters.countedByPolicy(),
                meters.countedByFallback(),
                meters.countedOverloaded(),
                store == null ? StoreMeters.Totals.NOTHING : store.totals());
    }

    private void take(long from, int count, Totals now) {
        total.add(from, count, now.all.minus(before.all));
        takePolicies(from, count, now.policies);
        StoreMeters.Totals since = now.store.minus(before.store);
        trips.spread(from, count, since.trips());
        errors.spread(from, count, since.errors());
        meanMicros.fill(from, count, since.trips() == 0 ? 0 : since.tripMicros() / since.trips());
        slowestMicros.fill(from, count, store == null ? 0 : store.slowestMicros());
        boolean isFallback = since.fallbackMicros() != 0 || now.byFallback > before.byFallback;
        fallback.fill(from, count, isFallback ? 1 : 0);
        overloaded.spread(from, count, now.overloaded - before.overloaded);
    }

    private void takePolicies(long from, int count, Map<String, DecisionTotals> now) {
        policies.values().removeIf(row -> from - row.lastSecond > SECONDS);
        Map<String, DecisionTotals> since = new HashMap<>();
        now.forEach((policy, counted) -> {
            DecisionTotals more = counted.minus(before.policies.getOrDefault(policy, DecisionTotals.NOTHING));
            if (!more.isNothing()) {
                boolean isKept = policies.containsKey(policy) || policies.size() < MOST_POLICIES;
                String name = isKept ? policy : Series.OTHERS;
                policies.computeIfAbsent(name, unused -> new Row());
                since.merge(name, more, DecisionTotals::plus);
            }
        });
        policies.forEach((name, row) -> row.add(from, count, since.getOrDefault(name, DecisionTotals.NOTHING)));
    }

    /** Returns the recorded seconds after the given one, up to the last that has ended. */
    public synchronized HistoryReport after(long second) {
        turn();
        long oldest = Math.max(begun, next - SECONDS);
        long from = Math.max(oldest - 1, Math.min(second, next - 1)) + 1;
        int count = (int) (next - from);
        SortedMap<String, Outcomes> told = new TreeMap<>();
        policies.forEach((name, row) -> {
            if (row.lastSecond >= from) {
                told.put(name, row.of(from, count));
            }
        });
        Trips ofStore = store == null
                ? null
                : new Trips(
                        trips.of(from, count),
                        errors.of(from, count),
                        meanMicros.of(from, count),
                        slowestMicros.of(from, count));
        return new HistoryReport(
                from,
                count,
                total.of(from, count),
                told,
                ofStore,
                fallback.of(from, count),
                overloaded.of(from, count));
    }
}
