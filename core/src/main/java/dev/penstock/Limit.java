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
 * An immutable ceiling: an algorithm with its numbers, the unit it counts, and an id that stays when numbers change.
 *
 * <p>Numbers that cannot be counted exactly are refused when the limit is made. Time is counted in the limit's tick
 * (microsecond, millisecond or second), the finest in which all of its arithmetic stays below 2<sup>53</sup>.
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

    /** A token bucket whose burst is one period's permits. */
    public static Limit tokenBucket(long permits, Duration period) {
        return tokenBucket(permits, period, permits);
    }

    public static Limit tokenBucket(long permits, Duration period, long burst) {
        return of(new TokenBucket(permits, period, burst));
    }

    public static Limit fixedWindow(long permits, Duration window) {
        return of(new FixedWindow(permits, window));
    }

    public static Limit calendarWindow(long permits, CalendarPeriod period, ZoneId zone) {
        return of(new CalendarWindow(permits, period, zone));
    }

    public static Limit slidingWindow(long permits, Duration window) {
        return of(new SlidingWindow(permits, window));
    }

    public static Limit slidingLog(long permits, Duration window) {
        return of(new SlidingLog(permits, window));
    }

    public static Limit leakyBucket(long permits, Duration period, long queue) {
        return of(new LeakyBucket(permits, period, queue));
    }

    public static Limit concurrency(long slots, Duration ttl) {
        return of(new Concurrency(slots, ttl));
    }

    /** This limit under an id of its own choice. */
    public Limit id(String newId) {
        return new Limit(Expect.text(newId, "id"), unit, algorithm, maxDebt);
    }

    /** This limit counting another unit; concurrency always counts slots. */
    public Limit unit(String newUnit) {
        Expect.text(newUnit, "unit");
        boolean slots = algorithm instanceof Concurrency;
        Expect.that(
                slots == newUnit.equals(Costs.SLOTS),
                "unit",
                newUnit,
                slots
                        ? "slots, which is what concurrency counts"
                        : "a unit other than slots, which concurrency counts");
        String newId = id.equals(defaultId(unit)) ? defaultId(newUnit) : id;
        return new Limit(newId, newUnit, algorithm, maxDebt);
    }

    /** The algorithm's, and the unit where it is not the usual one: tokens and requests are two limits. */
    private String defaultId(String ofUnit) {
        return withUnit(algorithm.defaultId(), ofUnit);
    }

    private String withUnit(String text, String ofUnit) {
        return ofUnit.equals(usualUnit(algorithm)) ? text : text + "-" + ofUnit;
    }

    /** What its counters are named by: the id of choice; else the span and the unit, since accounts are told apart by kind. */
    public String counterWord() {
        return id.equals(defaultId(unit)) ? withUnit(algorithm.span(), unit) : id;
    }

    /**
     * This limit with another bound on debt: how far a settlement above what was reserved may take an account below
     * nothing. The default is the capacity.
     */
    public Limit maxDebt(long permits) {
        Expect.between(permits, 0, Costs.MAX, "maxDebt");
        Expect.that(permits == 0 || mayOwe(algorithm), "maxDebt", permits, "0 for " + algorithm.word());
        return new Limit(id, unit, algorithm, permits);
    }

    /**
     * What each of so many nodes may give out by itself, so that all of them together give out no more than this limit:
     * its rate and its capacity divided by the nodes, rounded down, under the same id. No share is below 1, so of a
     * capacity C below the number of nodes N all of them together give out N - C too much.
     *
     * @throws IllegalArgumentException where the share's numbers cannot be counted exactly
     */
    public Limit share(int nodes) {
        Expect.positive(nodes, "nodes");
        return nodes == 1 ? this : new Limit(id, unit, algorithm.share(nodes), maxDebt / nodes);
    }

    public String id() {
        return id;
    }

    public String unit() {
        return unit;
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    public long maxDebt() {
        return maxDebt;
    }

    /** The most that can be had at once. */
    public long capacity() {
        return algorithm.capacity();
    }

    /** The grain in which this limit counts time. */
    public Duration tick() {
        return Duration.ofNanos(rule.tickMicros() * 1_000);
    }

    /** Returns whether the store keeps a new key for more than a minute after a charge of this cost. */
    public boolean isLongLived(long cost) {
        return cost >= longLivedFrom;
    }

    /** The arithmetic, for engines. */
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
