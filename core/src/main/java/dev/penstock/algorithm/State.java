package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The state of one account: three numbers, and a part of variable size. Each rule defines their meaning and has
 * accessors for them, such as {@code BucketRule.fullAtTicks}. Only code that copies or transports states uses the
 * fields.
 *
 * <p>The state in which all numbers are zero is the fresh state of every rule. Not thread-safe: an engine guards it.
 */
public class State {
    /** The rule under which the state was written. */
    public Rule rule;

    public long first;
    public long second;
    public long third;

    /** Entries and holds. Most accounts have none. */
    public @Nullable EntriesAndHolds extra;

    /** Creates a fresh state. */
    public State(Rule rule) {
        this.rule = rule;
    }

    /** Creates a state without holds. */
    public State(Rule rule, long first, long second, long third) {
        this.rule = rule;
        this.first = first;
        this.second = second;
        this.third = third;
    }

    /** Returns the sum of all holds: reserved costs, or slots in use. */
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

    /** Copies the other state's numbers, and shares the other state's {@link #extra}. */
    public final void copyFrom(State other) {
        first = other.first;
        second = other.second;
        third = other.third;
        // Writing a reference triggers the garbage collector's barriers, and these two rarely change.
        if (rule != other.rule) {
            rule = other.rule;
        }
        if (extra != other.extra) {
            extra = other.extra;
        }
    }

    /** Replaces the spent amount with that of the other state, which must not be used afterward. Holds stay. */
    public final void replaceSpent(State other) {
        EntriesAndHolds mine = extra;
        copyFrom(other);
        if (mine != null) {
            extra = extra().withHoldsOf(mine);
        }
    }

    /** Resets this to the fresh state. */
    public final void clear() {
        first = 0;
        second = 0;
        third = 0;
        extra = null;
    }
}
