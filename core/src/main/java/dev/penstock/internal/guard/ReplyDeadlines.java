package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waiting for replies when their time is up. Replies that are due within a millisecond, or a 64th of their wait where
 * that is more, share one task of the scheduler and are due when the first of them is: a busy node whose callers wait for a second
 * sets 64 timers meanwhile, not one per decision.
 *
 * <p>Thread-safe. Each reply that is late is ended by a task of its own, since callers' code may hang on it.
 */
public final class ReplyDeadlines {
    private static final long LEAST_GRAIN_MICROS = 1_000;
    private static final int GRAINS_IN_A_WAIT = 64;

    /** The end of the wait for a reply; lets go of the reply once it has come, so that nothing is kept for nothing. */
    static final class Expiry {
        private volatile @Nullable AwaitedReply<?> awaited;

        Expiry(AwaitedReply<?> awaited) {
            this.awaited = awaited;
        }

        void cancel() {
            awaited = null;
        }

        boolean isPending() {
            return awaited != null;
        }
    }

    /** The replies that are due together. */
    private static final class Slot {
        private final long dueMicros;
        private @Nullable List<Expiry> expiries = new ArrayList<>();

        Slot(long dueMicros) {
            this.dueMicros = dueMicros;
        }

        boolean suits(long atMicros, long grainMicros) {
            return atMicros >= dueMicros && atMicros - dueMicros < grainMicros;
        }

        synchronized boolean add(Expiry expiry) {
            List<Expiry> open = expiries;
            return open != null && open.add(expiry);
        }

        synchronized List<Expiry> close() {
            List<Expiry> all = expiries;
            expiries = null;
            return all == null ? List.of() : all;
        }
    }

    private final Clock clock;
    private final Scheduler scheduler;
    private volatile Slot latest = new Slot(Long.MIN_VALUE);

    public ReplyDeadlines(Clock clock, Scheduler scheduler) {
        this.clock = clock;
        this.scheduler = scheduler;
        List<Expiry> none = latest.close();
        assert none.isEmpty();
    }

    /** Waits for the reply so long; the awaited one is told what came of it, exactly once. */
    public <T> void await(Reply<T> reply, Duration atMost, AwaitedReply<T> awaited) {
        CompletionStage<T> stage = reply.whenReady();
        Expiry expiry = new Expiry(awaited);
        awaited.until(expiry);
        stage.whenComplete(awaited);
        if (expiry.isPending()) {
            add(expiry, atMost);
        }
    }

    private void add(Expiry expiry, Duration atMost) {
        long wait = atMost.toNanos() / 1_000;
        long due = clock.micros() + wait;
        Slot slot = latest;
        if (slot.suits(due, Math.max(LEAST_GRAIN_MICROS, wait / GRAINS_IN_A_WAIT)) && slot.add(expiry)) {
            return;
        }
        Slot own = new Slot(due);
        own.add(expiry);
        latest = own;
        scheduler.after(atMost, () -> expire(own));
    }

    private void expire(Slot slot) {
        Expiry last = null;
        for (Expiry expiry : slot.close()) {
            if (!expiry.isPending() || goesOn(expiry)) {
                continue;
            }
            if (last != null) {
                Expiry own = last;
                scheduler.after(Duration.ZERO, () -> timeUp(own));
            }
            last = expiry;
        }
        if (last != null) {
            timeUp(last);
        }
    }

    /** Whether the wait was made longer. */
    private boolean goesOn(Expiry expiry) {
        AwaitedReply<?> awaited = expiry.awaited;
        Duration more = awaited == null ? null : awaited.more();
        if (more == null) {
            return false;
        }
        try {
            add(expiry, more);
            return true;
        } catch (RuntimeException e) { // the scheduler fails: nobody would end the wait
            return false;
        }
    }

    private static void timeUp(Expiry expiry) {
        AwaitedReply<?> awaited = expiry.awaited;
        if (awaited != null) {
            awaited.timeUp();
        }
    }
}
