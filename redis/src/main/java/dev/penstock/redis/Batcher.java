package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.algorithm.Rule;
import dev.penstock.internal.StageTimeouts;
import dev.penstock.spi.Ask;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends asks that wait at the same time together, as one {@link Batch}. An ask that waits alone is sent as a {@link
 * SingleRequest}.
 *
 * <p>While fewer than {@value BatchLimits#FEW_UNDER_WAY} batches are in flight, an ask is sent at once, so an idle
 * system adds no delay. Otherwise asks wait and are sent together when fewer batches are in flight. Up to {@value
 * BatchLimits#MANY_UNDER_WAY} batches may be in flight if a batch has at least {@value BatchLimits#LARGE_BATCH_CHARGES}
 * charges, because that costs the store little, or if the round trip is long, because waiting costs much. If nearly all
 * asks are equal, only one batch is in flight, because it costs the store the same however many asks it has. An ask whose
 * caller has given up is not sent, so a flood of abandoned requests costs the store nothing. Thread-safe. No call
 * blocks.
 */
final class Batcher {
    /** The kind of thread that sends batches. */
    private enum Sender {
        A_CALLER,
        INSTEAD_OF_A_CALLER
    }

    private final ConcurrentLinkedQueue<BatchedAsk> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger chargesWaiting = new AtomicInteger();
    private final AtomicInteger underway = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private final StageTimeouts timeouts = new StageTimeouts(Scheduler.system());
    private final Function<PackedCall, CompletionStage<byte[]>> send;
    private final Function<Ask, CompletionStage<Decision>> single;
    private final ToIntBiFunction<String, Rule> ruleIds;
    private final Clock clock;
    private final Supplier<Duration> lateAfter;
    private final Executor callbacks;
    private volatile long wayMicros = Long.MAX_VALUE / 2; // the round trip time of the fastest recent batch

    /** The number of charges per different charge in the last batch: 1 if none were equal. */
    private volatile int equalPerDifferent = 1;

    /**
     * Creates a batcher.
     *
     * @param send runs the script of a call
     * @param single decides an ask that turns out to need {@code decide.lua}
     * @param ruleIds returns the id of a rule in the states of a counter, see {@link RuleIds}
     * @param clock measures how long callers have waited
     * @param lateAfter how long a batch may take before it no longer counts as in flight
     * @param callbacks runs tasks that must not run in the context of a caller
     */
    Batcher(
            Function<PackedCall, CompletionStage<byte[]>> send,
            Function<Ask, CompletionStage<Decision>> single,
            ToIntBiFunction<String, Rule> ruleIds,
            Clock clock,
            Supplier<Duration> lateAfter,
            Executor callbacks) {
        this.send = send;
        this.single = single;
        this.ruleIds = ruleIds;
        this.clock = clock;
        this.lateAfter = lateAfter;
        this.callbacks = callbacks;
    }

    CompletionStage<Decision> decide(BatchedAsk asked) {
        // before the ask is queued, so that the count never falls below zero
        chargesWaiting.addAndGet(asked.ask().size());
        waiting.add(asked);
        sendWhatWaits();
        return asked.answer();
    }

    /** Sends the ask alone and at once, because in a Cluster all keys of a script must be in one slot. */
    CompletionStage<Decision> decideAlone(BatchedAsk asked) {
        underway.incrementAndGet();
        send(null, List.of(asked));
        return asked.answer();
    }

    private void sendWhatWaits() {
        sendWhatWaits(Sender.A_CALLER);
    }

    /**
     * Sends the waiting asks. Only one thread at a time does so, and it also sends the asks that arrive meanwhile. If
     * sending fails on a caller's thread, for example because its stack is full, another thread continues. If that
     * fails too, all waiting asks fail.
     */
    private void sendWhatWaits(Sender sender) {
        if (turns.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            try {
                while (!waiting.isEmpty() && mayLeave()) {
                    sendSome();
                }
            } catch (Throwable e) {
                if (sender == Sender.INSTEAD_OF_A_CALLER) {
                    failWaiting(e);
                }
                turns.set(0);
                if (sender == Sender.A_CALLER) {
                    callbacks.execute(() -> sendWhatWaits(Sender.INSTEAD_OF_A_CALLER));
                }
                return;
            }
            seen = turns.addAndGet(-seen);
        } while (seen != 0);
    }

    private void failWaiting(Throwable failure) {
        while (!waiting.isEmpty()) {
            fail(List.of(removeFirst()), failure);
        }
    }

    private void sendSome() {
        List<BatchedAsk> tooLate = new ArrayList<>();
        List<BatchedAsk> together = new ArrayList<>();
        Batch batch;
        try {
            batch = take(together, tooLate);
        } catch (Throwable e) {
            underway.decrementAndGet();
            throw e;
        }
        if (together.isEmpty()) {
            underway.decrementAndGet();
        } else {
            send(batch, together);
        }
        if (!tooLate.isEmpty()) {
            failApart(tooLate, NotCharged.overdue());
        }
    }

    private boolean mayLeave() {
        int most = mostUnderway();
        int now = underway.get();
        while (now < most) {
            if (underway.compareAndSet(now, now + 1)) {
                return true;
            }
            now = underway.get();
        }
        return false;
    }

    private int mostUnderway() {
        if (wayMicros > BatchLimits.LONG_TRIP_MICROS) {
            return BatchLimits.MANY_UNDER_WAY;
        }
        int different = chargesWaiting.get() / equalPerDifferent;
        return different >= BatchLimits.LARGE_BATCH_CHARGES
                ? BatchLimits.MANY_UNDER_WAY
                : equalPerDifferent >= BatchLimits.LARGE_BATCH_CHARGES ? 1 : BatchLimits.FEW_UNDER_WAY;
    }

    /**
     * Takes asks from the front of the queue that can be sent together; none if all are overdue. The asks are removed
     * only at the end, so that none is lost if something fails before. Returns null unless there are several.
     */
    private @Nullable Batch take(List<BatchedAsk> together, List<BatchedAsk> tooLate) {
        Batch batch = null;
        long now = clock.micros();
        for (BatchedAsk next : waiting) {
            if (next.isOverdue(now)) {
                tooLate.add(next);
                continue;
            } else if (!together.isEmpty()) {
                batch = batch == null ? batchOf(together) : batch;
                if (!batch.add(next)) {
                    break;
                }
            }
            together.add(next);
        }
        equalPerDifferent = batch == null ? 1 : batch.equalPerDifferent();
        for (int i = together.size() + tooLate.size(); i > 0; i--) {
            removeFirst();
        }
        return batch;
    }

    private Batch batchOf(List<BatchedAsk> asks) {
        Batch batch = new Batch(ruleIds);
        for (BatchedAsk asked : asks) {
            if (!batch.add(asked)) {
                throw new AssertionError("an empty batch has room for any ask");
            }
        }
        return batch;
    }

    private BatchedAsk removeFirst() {
        BatchedAsk first = waiting.remove();
        chargesWaiting.addAndGet(-first.ask().size());
        return first;
    }

    /** Sends asks, in this batch unless there is only one. */
    private void send(@Nullable Batch batch, List<BatchedAsk> together) {
        Flight flight = new Flight(together);
        try {
            PackedCall call = batch == null ? new SingleRequest(together.get(0), ruleIds) : batch;
            CompletableFuture<byte[]> reply = send.apply(call).toCompletableFuture();
            CompletableFuture<byte[]> notified = reply.whenComplete(
                    (answer, failure) -> flight.callBack(() -> landed(flight, call, answer, failure)));
            if (!notified.isDone()) {
                CompletableFuture<byte[]> unused =
                        timeouts.within(lateAfter.get(), notified).whenComplete((answer, failure) -> flight.free());
            }
        } catch (Throwable e) {
            flight.free();
            failApart(together, e);
        } finally {
            flight.hasLeft = true;
        }
    }

    private void landed(Flight flight, PackedCall call, byte @Nullable [] answer, @Nullable Throwable failure) {
        if (answer != null) {
            // at least 0, because the clock may have been set back
            long took = Math.max(0, clock.micros() - flight.sentMicros);
            wayMicros = Math.min(took, wayMicros + wayMicros / 8 + 1);
        }
        flight.free(); // before the callers get their answers, so that the next batch is sent meanwhile
        if (answer == null) {
            fail(flight.asks, failure == null ? new IllegalStateException("no reply") : failure);
        } else {
            answerAll(call, answer, flight.asks);
        }
    }

    /**
     * A batch in flight. It stops counting as in flight when it is answered or late, because a slow or dead server must
     * not keep other asks from being sent.
     */
    private final class Flight {
        private final List<BatchedAsk> asks;
        private final long sentMicros = clock.micros();
        private final Thread sender = Thread.currentThread();
        private final AtomicBoolean isFree = new AtomicBoolean();

        /** Written by the sender. Other threads read it only after finding that they are not the sender. */
        private boolean hasLeft;

        Flight(List<BatchedAsk> asks) {
            this.asks = asks;
        }

        void free() {
            if (isFree.compareAndSet(false, true)) {
                underway.decrementAndGet();
                sendWhatWaits();
            }
        }

        /**
         * Runs a callback, but never inside the call that sends, because callbacks of other callers must not run in the
         * context of that caller.
         */
        void callBack(Runnable task) {
            if (Thread.currentThread() == sender && !hasLeft) {
                callbacks.execute(task);
            } else {
                task.run();
            }
        }
    }

    private void answerAll(PackedCall call, byte[] answer, List<BatchedAsk> together) {
        try {
            call.read(answer, new AnswerListener());
        } catch (RuntimeException e) {
            fail(together, e); // asks that were already answered stay answered
        }
    }

    /** Fails the asks outside the caller's context if possible. */
    private void failApart(List<BatchedAsk> together, Throwable failure) {
        try {
            callbacks.execute(() -> fail(together, failure));
        } catch (RuntimeException e) {
            fail(together, failure);
        }
    }

    private static void fail(List<BatchedAsk> together, Throwable failure) {
        for (BatchedAsk asked : together) {
            asked.answer().completeExceptionally(failure);
        }
    }

    private final class AnswerListener implements PackedCall.Listener {
        @Override
        public void answered(BatchedAsk asked, Decision decision) {
            asked.answer().complete(decision);
        }

        @Override
        public void notAnswered(BatchedAsk asked, PackedCall.Outcome outcome) {
            if (outcome == PackedCall.Outcome.FOREIGN_VALUE) {
                asked.answer()
                        .completeExceptionally(new StoreRefused(
                                "a key of " + asked.ask() + " holds data not written by Penstock (expected: a state)"));
                return;
            }
            single.apply(asked.ask()).whenComplete((decision, failure) -> {
                if (failure == null) {
                    asked.answer().complete(decision);
                } else {
                    asked.answer().completeExceptionally(failure);
                }
            });
        }
    }
}
