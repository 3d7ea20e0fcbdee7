package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One limit on one key at one cost, with its policy's settings. Immutable. */
@CheckReturnValue
public final class Charge {
    private final LimitSettings settings;
    private final Key key;
    private final long cost;
    private final @Nullable String colocation;

    private Charge(LimitSettings settings, Key key, long cost, @Nullable String colocation) {
        this.settings = settings;
        this.key = key;
        this.cost = cost;
        this.colocation = colocation;
    }

    public static Charge of(LimitSettings settings, Key key, long cost) {
        return of(Expect.present(settings, "settings"), Expect.present(key, "key"), cost, null);
    }

    static Charge of(LimitSettings settings, Key key, long cost, @Nullable String colocation) {
        if (cost < 0 || cost > Costs.MAX) {
            Expect.between(cost, 0, Costs.MAX, "cost of " + settings.limit().unit());
        }
        if (cost > Concurrency.MOST_PER_REQUEST && settings.limit().unit().equals(Costs.SLOTS)) {
            Expect.between(cost, 0, Concurrency.MOST_PER_REQUEST, "cost of slots");
        }
        return new Charge(settings, key, cost, colocation);
    }

    /**
     * This charge kept together with all others of the same colocation, where a store is spread over shards. One of more than
     * {@value Key#LONGEST_VALUE} characters is kept as its SHA-256.
     */
    public Charge colocation(String value) {
        return new Charge(settings, key, cost, KeyEncoding.shortened(Expect.present(value, "colocation")));
    }

    /** This charge with other settings. */
    public Charge on(LimitSettings other) {
        return new Charge(Expect.present(other, "settings"), key, cost, colocation);
    }

    /** This charge at another cost. */
    public Charge at(long otherCost) {
        return of(settings, key, otherCost, colocation);
    }

    public LimitSettings settings() {
        return settings;
    }

    public Limit limit() {
        return settings.limit();
    }

    public Key key() {
        return key;
    }

    public long cost() {
        return cost;
    }

    /**
     * Whether both charges are made to the same account: the same counter and key, and limits whose states have the same
     * {@linkplain dev.penstock.algorithm.Rule#shape shape}. An engine keeps one state per account.
     */
    public boolean isSameAccountAs(Charge other) {
        return key.equals(other.key)
                && limit().rule().shape().equals(other.limit().rule().shape());
    }

    /** Whether the request is denied where this charge does not fit; else it is only observed. */
    public boolean isEnforced() {
        return settings.enforcement() == Enforcement.ENFORCED;
    }

    public @Nullable String colocation() {
        return colocation;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Charge that
                && cost == that.cost
                && key.equals(that.key)
                && settings.equals(that.settings)
                && Objects.equals(colocation, that.colocation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(settings, key, cost);
    }

    @Override
    public String toString() {
        return settings + " on " + key + " at " + cost;
    }
}
