package dev.penstock.internal;

import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Ends waits for replies when their time is up. Replies share one task of the scheduler, and end with the first of
 * them, if they are due within a millisecond of one another or within a 64th of their wait, whichever is more. If the
 * callers of a busy node wait for a second each, it sets 64 timers per second, not one per decision.
 *
 * <p>Thread-safe. Each overdue reply is ended in a separate task, because it may run callers' code.
 */
public final class ReplyDeadlines {
    private static final System.Logger LOG = System.getLogger(ReplyDeadlines.class.getName());
    private static final long LEAST_GRAIN_MICROS = 1_000;
    private static final int GRAINS_IN_A_WAIT = 64;

    /**
     * The end of the wait for a reply. It drops its reference to the reply once that has arrived, so that the reply can
     * be garbage collected.
     */
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
        private @Nullable List<Expiry> expiries;

        Slot(long dueMicros, int expectedSize) {
            this.dueMicros = dueMicros;
            this.expiries = new ArrayList<>(expectedSize);
        }

        boolean suits(long atMicros, long grainMicros) {
            return atMicros >= dueMicros && atMicros - dueMicros < grainMicros;
        }

        synchronized boolean add(Expiry expiry) {
            List<Expiry> open = expiries;
            return open != null && open.add(expiry);
        }

        synchronized int size() {
            return expiries == null ? 0 : expiries.size();
        }

        synchronized List<Expiry> close() {
            List<Expiry> all = expiries;
            expiries = null;
            return all == null ? List.of() : all;
        }
    }

    private final Scheduler scheduler;
    private volatile Slot latest = new Slot(Long.MIN_VALUE, 0);

    public ReplyDeadlines(Scheduler scheduler) {
        this.scheduler = scheduler;
        List<Expiry> none = latest.close();
        assert none.isEmpty();
    }

    /** Waits for the reply for at most this time. The awaited object receives the outcome exactly once. */
    public <T> void await(Reply<T> reply, Duration atMost, AwaitedReply<T> awaited) {
        CompletionStage<T> stage = reply.whenReady();
        Expiry expiry = new Expiry(awaited);
        awaited.until(expiry);
        stage.whenComplete(awaited);
        if (expiry.isPending()) {
            try {
                add(expiry, atMost);
            } catch (RuntimeException | Error e) { // the scheduler failed, so nothing else would end the wait
                awaited.accept(null, e);
            }
        }
    }

    private void add(Expiry expiry, Duration atMost) {
        long wait = atMost.toNanos() / 1_000;
        long due = scheduler.elapsedMicros() + wait;
        Slot slot = latest;
        if (slot.suits(due, Math.max(LEAST_GRAIN_MICROS, wait / GRAINS_IN_A_WAIT)) && slot.add(expiry)) {
            return;
        }
        Slot own = new Slot(due, slot.size()); // as many as before, so that the list seldom grows
        own.add(expiry);
        scheduler.after(atMost, () -> expire(own));
        latest = own; // Set only now, so that no other reply uses a slot that the scheduler did not accept.
    }

    private void expire(Slot slot) {
        Expiry last = null;
        for (Expiry expiry : slot.close()) {
            if (!expiry.isPending() || goesOn(expiry)) {
                continue;
            }
            if (last != null) {
                timeUpByTaskOfItsOwn(last);
            }
            last = expiry;
        }
        if (last != null) {
            timeUp(last);
        }
    }

    private void timeUpByTaskOfItsOwn(Expiry expiry) {
        try {
            scheduler.after(Duration.ZERO, () -> timeUp(expiry));
        } catch (RuntimeException | Error e) { // the scheduler failed, so nothing else would end the wait
            timeUp(expiry);
        }
    }

    /** Returns whether the wait was extended. */
    private boolean goesOn(Expiry expiry) {
        try {
            AwaitedReply<?> awaited = expiry.awaited;
            Duration more = awaited == null ? null : awaited.more();
            if (more != null) {
                add(expiry, more);
            }
            return more != null;
        } catch (RuntimeException | Error e) { // end this wait, so that the others in the slot end too
            LOG.log(Level.WARNING, "a wait could not be extended and was ended", e);
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
