package dev.penstock.internal.guard;

import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.State;
import dev.penstock.algorithm.TokenBucket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Computes the state with which a node's share of a limit starts: the node's part of what the store last reported as
 * remaining, and of what has come back since.
 *
 * <p>The store reports only how much remains and when all of it will be back. For buckets and fixed windows that is
 * exact. For a sliding window and a sliding log, the report does not say when each permit was spent, so they are
 * assumed to have been spent evenly over the last window.
 */
final class ShareStart {
    /** The maximum number of entries with which a log starts. */
    private static final int MOST_ENTRIES = 32;

    private ShareStart() {}

    /**
     * Returns the state of the share now. Each call creates a new state.
     *
     * @param whole the limit that the store enforces
     * @param part this node's share of it
     */
    static State of(StoreReports.StoreReport word, Limit whole, Limit part, int nodes, long nowMicros) {
        Rule rule = part.rule();
        long saidAt = word.saidAtMicros();
        Algorithm algorithm = part.algorithm();
        State state = new State(rule);
        if (algorithm instanceof Lockout lockout && word.remaining() == 0) {
            state = blocked(lockout, word.restMicros(nowMicros), nowMicros);
        } else if (algorithm instanceof Lockout) {
            // strikes are not divided among nodes
            spendDownTo(Math.min(rule.capacity(), word.remaining()), state, saidAt);
        } else {
            long left = Math.min(rule.capacity(), word.remaining() / nodes);
            if (algorithm instanceof SlidingWindow window) {
                rule.advance(state, saidAt - micros(window.window()));
                rule.charge(state, rule.capacity() - left, saidAt - micros(window.window()));
                spendDownTo(left, state, saidAt);
            } else if (algorithm instanceof SlidingLog log) {
                spendEvenly(rule.capacity() - left, state, saidAt, micros(log.window()));
            } else {
                spendDownTo(left, state, saidAt + beyondWholePermits(word, whole));
            }
        }
        rule.advance(state, nowMicros);
        return state;
    }

    private static void spendDownTo(long left, State state, long atMicros) {
        Rule rule = state.rule;
        rule.advance(state, atMicros);
        long spent = rule.remaining(state, atMicros) - left;
        if (spent > 0) {
            rule.charge(state, spent, atMicros);
        }
    }

    /** Spends the amount in equal parts over the window that ends at this time, the last part at its end. */
    private static void spendEvenly(long amount, State state, long endMicros, long windowMicros) {
        int entries = (int) Math.min(MOST_ENTRIES, amount);
        long rest = amount;
        for (int i = entries; i > 0; i--) {
            long atMicros = endMicros - windowMicros / entries * (i - 1);
            long some = rest / i;
            state.rule.advance(state, atMicros);
            state.rule.charge(state, some, atMicros);
            rest -= some;
        }
    }

    /**
     * Returns how much later a bucket is full than its remaining whole permits suggest. Negative if a fraction of a
     * permit has already come back; positive if the account is in debt.
     */
    private static long beyondWholePermits(StoreReports.StoreReport word, Limit whole) {
        if (!isBucket(whole)) {
            return 0;
        }
        Rule rule = whole.rule();
        long spent = Math.max(0, rule.capacity() - word.remaining());
        return word.resetMicros() - resetMicros(rule, spent, word.saidAtMicros());
    }

    static boolean isBucket(Limit limit) {
        return limit.algorithm() instanceof TokenBucket || limit.algorithm() instanceof LeakyBucket;
    }

    /**
     * Returns how long until everything has come back to an account that is now charged with a further amount.
     *
     * @param resetMicros how long it would take without the further amount
     * @param remaining what is left with the further amount
     */
    static long resetAfterMicros(Limit limit, long resetMicros, long further, long remaining, long nowMicros) {
        if (limit.algorithm() instanceof Lockout lockout) {
            return micros(remaining == 0 ? lockout.lockout() : lockout.window());
        }
        long own = resetMicros(limit.rule(), Math.min(further, limit.capacity()), nowMicros);
        return isBucket(limit) ? resetMicros + own : Math.max(resetMicros, own);
    }

    /** Returns how long until a spent amount, at most the capacity, has come back. */
    private static long resetMicros(Rule rule, long spent, long atMicros) {
        State state = new State(rule);
        rule.advance(state, atMicros);
        rule.charge(state, spent, atMicros);
        return rule.resetMicros(state, atMicros);
    }

    /** Returns a state that is blocked for exactly this time. */
    private static State blocked(Lockout lockout, long micros, long nowMicros) {
        Rule once = once(lockout, micros).rule();
        State state = new State(once);
        once.advance(state, nowMicros);
        once.charge(state, 1, nowMicros);
        return state;
    }

    /** Returns a limit on which one strike blocks the account for this time. */
    static Limit once(Lockout lockout, long micros) {
        Duration rest = Duration.of(Math.max(1, micros), ChronoUnit.MICROS);
        return Limit.of(new Lockout(1, lockout.window(), rest, lockout.of()));
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }
}
