package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One limit on one key at one cost, on its policy's terms. Immutable. */
public final class Charge {
    private final Terms terms;
    private final Key key;
    private final long cost;
    private final @Nullable String colocation;

    private Charge(Terms terms, Key key, long cost, @Nullable String colocation) {
        this.terms = terms;
        this.key = key;
        this.cost = cost;
        this.colocation = colocation;
    }

    public static Charge of(Terms terms, Key key, long cost) {
        return of(Expect.present(terms, "terms"), Expect.present(key, "key"), cost, null);
    }

    /** Of what is known to be there. */
    static Charge of(Terms terms, Key key, long cost, @Nullable String colocation) {
        if (cost < 0 || cost > Costs.MAX) {
            Expect.between(cost, 0, Costs.MAX, "cost of " + terms.limit().unit());
        }
        if (cost > Concurrency.MOST_PER_REQUEST && terms.limit().unit().equals(Costs.SLOTS)) {
            Expect.between(cost, 0, Concurrency.MOST_PER_REQUEST, "cost of slots");
        }
        return new Charge(terms, key, cost, colocation);
    }

    /**
     * This charge kept together with all others of the same colocation, where a store is spread over shards. One of more than
     * {@value Key#LONGEST_VALUE} characters is kept as its SHA-256.
     */
    public Charge colocation(String value) {
        return new Charge(terms, key, cost, KeyBytes.shortened(Expect.present(value, "colocation")));
    }

    /** This charge on other terms of its policy. */
    public Charge on(Terms other) {
        return new Charge(Expect.present(other, "terms"), key, cost, colocation);
    }

    /** This charge at another cost. */
    public Charge at(long otherCost) {
        return of(terms, key, otherCost, colocation);
    }

    public Terms terms() {
        return terms;
    }

    public Limit limit() {
        return terms.limit();
    }

    public Key key() {
        return key;
    }

    public long cost() {
        return cost;
    }

    /** Whether the request is denied where this charge does not fit; else it is only observed. */
    public boolean isEnforced() {
        return terms.effect() == Effect.DENY;
    }

    public @Nullable String colocation() {
        return colocation;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Charge that
                && cost == that.cost
                && key.equals(that.key)
                && terms.equals(that.terms)
                && Objects.equals(colocation, that.colocation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(terms, key, cost);
    }

    @Override
    public String toString() {
        return terms + " on " + key + " at " + cost;
    }
}
