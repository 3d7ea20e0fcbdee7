package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one account: three numbers whose meaning is its rule's, and what does not fit into numbers.
 *
 * <p>All zero is the fresh state of every rule. Not thread-safe: an engine guards it.
 */
public class State {
    /** The numbers under which the state was written. */
    public Rule rule;

    public long a;
    public long b;
    public long c;

    /** Entries and holds; most accounts have none. */
    public @Nullable EntriesAndHolds extra;

    public State(Rule rule) {
        this.rule = rule;
    }

    /** A state that holds nothing. */
    public State(Rule rule, long a, long b, long c) {
        this.rule = rule;
        this.a = a;
        this.b = b;
        this.c = c;
    }

    /** The sum of what is held: reserved costs, or slots in use. */
    public long held() {
        return extra == null ? 0 : extra.holds().total();
    }

    final EntriesAndHolds extra() {
        EntriesAndHolds present = extra;
        if (present == null) {
            present = new EntriesAndHolds();
            extra = present;
        }
        return present;
    }

    /** Takes over the other state's numbers. What is in {@link #extra} is shared. */
    public final void copyFrom(State other) {
        a = other.a;
        b = other.b;
        c = other.c;
        // A store of a reference costs the collector's barriers, and these two hardly ever change.
        if (rule != other.rule) {
            rule = other.rule;
        }
        if (extra != other.extra) {
            extra = other.extra;
        }
    }

    /** Takes over what was spent in the other state, which must not be used any more. What is held here stays held. */
    public final void replaceSpent(State other) {
        EntriesAndHolds mine = extra;
        copyFrom(other);
        if (mine != null) {
            extra = extra().withHoldsOf(mine);
        }
    }

    /** Back to the fresh state. */
    public final void clear() {
        a = 0;
        b = 0;
        c = 0;
        extra = null;
    }
}
