package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import java.util.ArrayList;
import java.util.List;
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

    /** Returns a charge on the key at the cost. */
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
     * Returns this charge kept on one shard together with all others of the same colocation. A value of more than
     * {@value Key#LONGEST_VALUE} characters is replaced by its SHA-256.
     */
    public Charge colocation(String value) {
        return new Charge(settings, key, cost, KeyEncoding.shortened(Expect.present(value, "colocation")));
    }

    /** Returns this charge with other settings. */
    public Charge on(LimitSettings other) {
        return new Charge(Expect.present(other, "settings"), key, cost, colocation);
    }

    /** Returns this charge at another cost. */
    public Charge at(long otherCost) {
        return of(settings, key, otherCost, colocation);
    }

    /** Returns the limit together with its settings. */
    public LimitSettings settings() {
        return settings;
    }

    /** Returns the limit. */
    public Limit limit() {
        return settings.limit();
    }

    /** Returns the key. */
    public Key key() {
        return key;
    }

    /** Returns the cost. */
    public long cost() {
        return cost;
    }

    /**
     * Returns whether both charges are made to the same account: the same counter and key, and limits whose states have
     * the same {@linkplain dev.penstock.algorithm.Rule#shape shape}. An engine keeps one state per account.
     */
    public boolean isSameAccountAs(Charge other) {
        return key.equals(other.key)
                && limit().rule().shape().equals(other.limit().rule().shape());
    }

    /** Returns whether the request is denied if this charge does not fit. If not, this is a shadow charge. */
    public boolean isEnforced() {
        return settings.enforcement() == Enforcement.ENFORCED;
    }

    /**
     * Returns the attributes of the key that the request lacks, in the order of the key. All requests that lack the same
     * attributes, and are equal in the others, share one account.
     */
    public List<String> missing() {
        List<String> names = settings.keyAttributes();
        if (names.isEmpty() || !key.lacksValue()) {
            return List.of();
        }
        List<@Nullable String> values = key.valuesOrNull();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
            if (values.get(i) == null) {
                missing.add(names.get(i));
            }
        }
        return List.copyOf(missing);
    }

    /** Returns the colocation, or null if there is none. */
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
