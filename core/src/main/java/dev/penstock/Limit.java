package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A ceiling: an algorithm with its numbers, the unit it counts, and an id that stays the same when the numbers change.
 *
 * <p>Immutable. Time is counted in ticks: microseconds, milliseconds or seconds, the finest unit in which all
 * arithmetic of the limit stays below 2<sup>53</sup>. Numbers that are too large for all three are rejected when the
 * limit is created.
 */
@CheckReturnValue
public final class Limit {
    private final String id;
    private final String unit;
    private final Algorithm algorithm;
    private final long maxDebt;
    private final Rule rule;
    private final long longLivedFrom;
    private final int hash;

    private Limit(String id, String unit, Algorithm algorithm, long maxDebt) {
        this.id = id;
        this.unit = unit;
        this.algorithm = algorithm;
        this.maxDebt = maxDebt;
        this.rule = Rule.of(algorithm, maxDebt);
        this.longLivedFrom = rule.longLivedFrom();
        this.hash = Objects.hash(id, unit, algorithm, maxDebt);
    }

    /** Returns a limit with this algorithm, in its usual unit. */
    public static Limit of(Algorithm algorithm) {
        Expect.present(algorithm, "algorithm");
        return new Limit(
                algorithm.defaultId(), usualUnit(algorithm), algorithm, mayOwe(algorithm) ? algorithm.capacity() : 0);
    }

    private static String usualUnit(Algorithm algorithm) {
        if (algorithm instanceof Lockout) {
            return Costs.STRIKES;
        }
        return algorithm instanceof Concurrency ? Costs.SLOTS : Costs.REQUESTS;
    }

    private static boolean mayOwe(Algorithm algorithm) {
        return !(algorithm instanceof Concurrency || algorithm instanceof Lockout);
    }

    /**
     * Returns a token bucket whose burst is one period's permits: {@code tokenBucket(100, Duration.ofMinutes(1))}
     * allows 100 at once, then one every 600 ms.
     */
    public static Limit tokenBucket(long permits, Duration period) {
        return tokenBucket(permits, period, permits);
    }

    /**
     * Returns a token bucket: up to {@code burst} permits at once, refilled at a rate of {@code permits} per period.
     */
    public static Limit tokenBucket(long permits, Duration period, long burst) {
        return of(new TokenBucket(permits, period, burst));
    }

    /**
     * Returns a limit of {@code permits} in each window. Windows are aligned to multiples of their length since 1970
     * (UTC).
     */
    public static Limit fixedWindow(long permits, Duration window) {
        return of(new FixedWindow(permits, window));
    }

    /** Returns a limit of {@code permits} in each calendar day, week, month or year of a time zone. */
    public static Limit calendarWindow(long permits, CalendarPeriod period, ZoneId zone) {
        return of(new CalendarWindow(permits, period, zone));
    }

    /**
     * Returns a limit of about {@code permits} in the last window, estimated from two aligned windows in constant
     * memory.
     */
    public static Limit slidingWindow(long permits, Duration window) {
        return of(new SlidingWindow(permits, window));
    }

    /** Returns a limit of at most {@code permits} in any window. Stores one entry per request. */
    public static Limit slidingLog(long permits, Duration window) {
        return of(new SlidingLog(permits, window));
    }

    /**
     * Returns a limit that shapes traffic to a rate. An allowed request must wait for its {@link Allowed#delay}.
     *
     * @param queue the maximum number of permits in the queue, including the one whose turn it is. With a queue of 4,
     *     four requests are allowed at once, and three of them wait
     */
    public static Limit leakyBucket(long permits, Duration period, long queue) {
        return of(new LeakyBucket(permits, period, queue));
    }

    /**
     * Returns a limit of {@code slots} permits held at the same time.
     *
     * @param ttl the time after which a slot is freed if its holder disappeared
     */
    public static Limit concurrency(long slots, Duration ttl) {
        return of(new Concurrency(slots, ttl));
    }

    /** Returns this limit under another id. */
    public Limit id(String newId) {
        return new Limit(Expect.text(newId, "id"), unit, algorithm, maxDebt);
    }

    /** Returns this limit in another unit. A concurrency limit always counts slots. */
    public Limit unit(String newUnit) {
        Expect.text(newUnit, "unit");
        boolean slots = algorithm instanceof Concurrency;
        Expect.that(
                slots == newUnit.equals(Costs.SLOTS),
                "unit",
                newUnit,
                slots
                        ? "slots, the unit of concurrency limits"
                        : "a unit other than slots, which only concurrency limits count");
        String newId = id.equals(defaultId(unit)) ? defaultId(newUnit) : id;
        return new Limit(newId, newUnit, algorithm, maxDebt);
    }

    /**
     * Returns the algorithm's default id. If the unit is not the usual one, it is appended, because a limit of tokens
     * and a limit of requests are two limits.
     */
    private String defaultId(String ofUnit) {
        return withUnit(algorithm.defaultId(), ofUnit);
    }

    private String withUnit(String text, String ofUnit) {
        return ofUnit.equals(usualUnit(algorithm)) ? text : text + "-" + ofUnit;
    }

    /** Returns the part of a counter's name that identifies this limit: the chosen id, or the period and the unit. */
    public String counterWord() {
        return id.equals(defaultId(unit)) ? withUnit(algorithm.span(), unit) : id;
    }

    /**
     * Returns this limit with another maximum debt. The maximum debt is how far a settlement above the reserved cost
     * may take an account below zero. The default is the capacity.
     */
    public Limit maxDebt(long permits) {
        Expect.between(permits, 0, Costs.MAX, "maxDebt");
        Expect.that(permits == 0 || mayOwe(algorithm), "maxDebt", permits, "0 for " + algorithm.word());
        return new Limit(id, unit, algorithm, permits);
    }

    /**
     * Returns one node's share of this limit, under the same id: the rate and the capacity divided
     * by the number of nodes. The capacity is rounded down.
     *
     * <p>All shares together are at most this limit, with one exception: a share is at least 1, so if the capacity C is
     * below the number of nodes N, all shares together exceed it by N - C.
     *
     * @throws IllegalArgumentException if the share cannot be counted exactly
     */
    public Limit share(int nodes) {
        Expect.positive(nodes, "nodes");
        return nodes == 1 ? this : new Limit(id, unit, algorithm.share(nodes), maxDebt / nodes);
    }

    /** Returns the id, which stays the same when the numbers change. */
    public String id() {
        return id;
    }

    /** Returns the unit of cost that this limit counts. */
    public String unit() {
        return unit;
    }

    /** Returns the algorithm with its numbers. */
    public Algorithm algorithm() {
        return algorithm;
    }

    /** Returns the maximum debt, which {@link #maxDebt(long)} sets. */
    public long maxDebt() {
        return maxDebt;
    }

    /** Returns the maximum that can be used at once. */
    public long capacity() {
        return algorithm.capacity();
    }

    /** Returns the unit in which this limit counts time. */
    public Duration tick() {
        return Duration.ofNanos(rule.tickMicros() * 1_000);
    }

    /** Returns whether the store keeps a new key for more than a minute after a charge of this cost. */
    public boolean isLongLived(long cost) {
        return cost >= longLivedFrom;
    }

    /** Returns the arithmetic of this limit. For engines. */
    public Rule rule() {
        return rule;
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof Limit that
                        && hash == that.hash
                        && id.equals(that.id)
                        && unit.equals(that.unit)
                        && algorithm.equals(that.algorithm)
                        && maxDebt == that.maxDebt);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return id + "(" + algorithm + ", " + unit + ")";
    }
}
