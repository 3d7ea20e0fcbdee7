package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The state of one account: three numbers, and what does not fit into numbers. Each rule says what they mean and has accessors
 * for them, such as {@code BucketRule.fullAtTicks}; only code that copies or transports a state uses the fields.
 *
 * <p>All zero is the fresh state of every rule. Not thread-safe: an engine guards it.
 */
public class State {
    /** The numbers under which the state was written. */
    public Rule rule;

    public long first;
    public long second;
    public long third;

    /** Entries and holds; most accounts have none. */
    public @Nullable EntriesAndHolds extra;

    public State(Rule rule) {
        this.rule = rule;
    }

    /** A state that holds nothing. */
    public State(Rule rule, long first, long second, long third) {
        this.rule = rule;
        this.first = first;
        this.second = second;
        this.third = third;
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
        first = other.first;
        second = other.second;
        third = other.third;
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
        first = 0;
        second = 0;
        third = 0;
        extra = null;
    }
}
