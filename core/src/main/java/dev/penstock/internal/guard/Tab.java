package dev.penstock.internal.guard;

import dev.penstock.Algorithm;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Concurrency;
import dev.penstock.Effect;
import dev.penstock.LeakyBucket;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Lockout;
import dev.penstock.MemoryEngine;
import dev.penstock.Terms;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.State;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one account's share was started with, and what the store does not know yet of what was taken from it.
 *
 * <p>The share itself is an account of the memory engine. Beside it the tab keeps the state that this account would have
 * had nothing been taken since: what is left there less what is left in the share is what the store has yet to be told.
 * That forgets at the limit's own pace what no longer matters, as the store's account has been refilling too.
 *
 * <p>Thread-safe.
 */
final class Tab {
    private static final int MOST_REFUSALS = 10;
    private static final long AFTER_REFUSAL_MICROS = 1_000_000;

    private final MemoryEngine shares;

    /** As asked of the store, and on the share. */
    private Charge whole;

    private Charge part;

    private StoreWords.@Nullable Word startedFrom;
    private @Nullable State untouched;
    private boolean beingPosted;
    private int refusals;
    private long refusedAtMicros;

    Tab(MemoryEngine shares, Charge whole, Charge part) {
        this.shares = shares;
        this.whole = whole;
        this.part = part;
    }

    /**
     * Sees to it that the share starts from the store's last word: with its share of what was left then, or with one permit
     * where there is no word; never with more than it has. A share that was started is left alone until the store speaks.
     */
    synchronized void start(Charge newWhole, Charge newPart, StoreWords.@Nullable Word word, int nodes, long now) {
        whole = newWhole;
        part = newPart;
        if (untouched != null && (word == null || word == startedFrom)) {
            return;
        }
        long owed = owed(now);
        long capacity = part.limit().capacity();
        StoreWords.Word told = word != null && word.holds(whole.limit(), now) ? word : null;
        long start = told == null ? unseenStart(capacity) : Math.min(capacity, share(told.remaining, nodes));
        if (told != null && start == 0 && part.limit().algorithm() instanceof Lockout lockout) {
            shares.decide(Ask.of(block(lockout, told.restMicros(now), part)));
        } else {
            take(left() - start);
        }
        long leftUntouched = Math.min(capacity, left() + owed);
        untouched = new State(rule());
        spendUntouched(capacity - leftUntouched, now);
        startedFrom = word;
        refusals = 0;
    }

    /** One permit; all turns of a leaky bucket, which come one after the other anyway, and no strikes. */
    private long unseenStart(long capacity) {
        Algorithm algorithm = part.limit().algorithm();
        return algorithm instanceof LeakyBucket || algorithm instanceof Lockout ? capacity : 1;
    }

    /** Strikes are not shared out: each node counts all of its own. */
    private long share(long remaining, int nodes) {
        return part.limit().algorithm() instanceof Lockout ? remaining : remaining / nodes;
    }

    /** A strike that blocks the account for so long and no longer. */
    private static Charge block(Lockout lockout, long micros, Charge on) {
        Duration rest = Duration.of(Math.max(1, micros), ChronoUnit.MICROS);
        Limit once = Limit.of(new Lockout(1, lockout.window(), rest, lockout.of()));
        return inEarnest(on, on.terms().limit(once), 1);
    }

    /** The request was sent to the store, which may have charged it: nobody must tell it again. */
    synchronized void except(long cost, long now) {
        spendUntouched(cost, now);
    }

    /** Whether there is something to tell, and nobody is about to. */
    synchronized boolean beginPost(long now) {
        if (beingPosted || isTooSoon(now) || owed(now) == 0) {
            return false;
        }
        beingPosted = true;
        return true;
    }

    private boolean isTooSoon(long now) {
        long elapsed = now - refusedAtMicros;
        return refusals >= MOST_REFUSALS || (refusals > 0 && elapsed >= 0 && elapsed < AFTER_REFUSAL_MICROS);
    }

    /** What the store has to be told now; from here on it counts as told. */
    synchronized long settlePost(long now) {
        long owed = owed(now);
        spendUntouched(owed, now);
        beingPosted = false;
        refusals = 0;
        return owed;
    }

    /** The store refused to take anything: its account is in debt already. Later, some times. */
    synchronized void refusePost(long now) {
        beingPosted = false;
        refusals++;
        refusedAtMicros = now;
    }

    /** The store could not be told. */
    synchronized void failPost() {
        beingPosted = false;
    }

    /** Whether nothing will be told any more. */
    synchronized boolean isDone(long now) {
        return !beingPosted && (refusals >= MOST_REFUSALS || owed(now) == 0);
    }

    /** A charge of nothing on the store's account, in earnest even where the policy only observes. */
    synchronized Charge nothing() {
        return inEarnest(whole, whole.terms(), 0);
    }

    /** What tells the store of strikes, which no permit can hold; null of an account of another kind. */
    synchronized @Nullable Charge strike(long owed) {
        if (!(whole.limit().algorithm() instanceof Lockout lockout)) {
            return null;
        }
        LimitStatus share = status();
        return share.remaining() == 0
                ? block(lockout, share.resetAfter().toNanos() / 1_000, whole)
                : inEarnest(whole, whole.terms(), Math.min(owed, whole.limit().capacity()));
    }

    private static Charge inEarnest(Charge like, Terms terms, long cost) {
        return like.on(terms.effect(Effect.DENY)).at(cost);
    }

    /** Slots are held, not spent: there is nothing to tell of them. */
    private long owed(long now) {
        State state = untouched;
        if (state == null || isConcurrency()) {
            return 0;
        }
        rule().advance(state, now);
        return Math.max(0, rule().remaining(state, now) - left());
    }

    private void spendUntouched(long cost, long now) {
        State state = untouched;
        if (state != null && !isConcurrency() && cost > 0) {
            rule().advance(state, now);
            rule().charge(state, cost, now);
        }
    }

    private long left() {
        return status().remaining();
    }

    private LimitStatus status() {
        return shares.decide(Ask.of(share(0)).peek()).limits().get(0);
    }

    private void take(long amount) {
        long most = isConcurrency() ? Concurrency.MOST_PER_REQUEST : Long.MAX_VALUE;
        for (long rest = amount; rest > 0; rest -= most) {
            shares.decide(Ask.of(share(Math.min(rest, most))));
        }
    }

    private Charge share(long cost) {
        return inEarnest(part, part.terms(), cost);
    }

    private boolean isConcurrency() {
        return part.limit().algorithm() instanceof Concurrency;
    }

    private Rule rule() {
        return part.limit().rule();
    }
}
