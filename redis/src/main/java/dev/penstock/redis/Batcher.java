package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.algorithm.Rule;
import dev.penstock.spi.Ask;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.StoreRefused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends asks that wait at the same time together, as one {@link Batch}.
 *
 * <p>While fewer than {@value BatchLimits#FEW_UNDER_WAY} batches are under way, an ask leaves at once, so an idle system adds no
 * delay. Asks that arrive meanwhile leave together once there are fewer again. Up to {@value BatchLimits#MANY_UNDER_WAY} are
 * under way if a batch has {@value BatchLimits#LARGE_BATCH_CHARGES} charges or more, because that costs the store little, or if
 * the way to the store is long, because waiting costs much. An ask whose caller has given up is not sent: a flood costs the store
 * nothing once nobody waits for it. Thread-safe; nothing blocks.
 */
final class Batcher {
    /** The thread that sends. */
    private enum Sender {
        A_CALLER,
        INSTEAD_OF_A_CALLER
    }

    private final ConcurrentLinkedQueue<BatchedAsk> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger chargesWaiting = new AtomicInteger();
    private final AtomicInteger underway = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private final Function<Batch, CompletionStage<byte[]>> send;
    private final Function<Ask, CompletionStage<Decision>> single;
    private final ToIntBiFunction<String, Rule> ruleIds;
    private final Clock clock;
    private final Supplier<Duration> lateAfter;
    private final Executor callbacks;
    private volatile long wayMicros = Long.MAX_VALUE / 2; // there and back, of the fastest batch lately

    /**
     * @param send runs {@code batch.lua}
     * @param single decides an ask that turns out to need {@code decide.lua}
     * @param ruleIds the id of a rule in the states of a counter, see {@link RuleIds}
     * @param clock by which callers wait
     * @param lateAfter how long a batch may take before it does not count as under way any more
     * @param callbacks runs what must not run in the context of a caller
     */
    Batcher(
            Function<Batch, CompletionStage<byte[]>> send,
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
        chargesWaiting.addAndGet(asked.ask().size()); // before it waits: the count never falls below zero
        waiting.add(asked);
        sendWhatWaits();
        return asked.answer();
    }

    /** Sends the ask at once, in a batch of its own: in a Cluster the keys of a script have to be in one slot. */
    CompletionStage<Decision> decideAlone(BatchedAsk asked) {
        underway.incrementAndGet();
        send(List.of(asked));
        return asked.answer();
    }

    private void sendWhatWaits() {
        sendWhatWaits(Sender.A_CALLER);
    }

    /**
     * Sends what waits. One thread at a time does so, and also sends what arrives meanwhile. If it fails on the thread of a
     * caller, for example because its stack is full, another thread goes on. If that fails too, all asks that wait fail.
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
        List<BatchedAsk> together;
        try {
            together = take(tooLate);
        } catch (Throwable e) {
            underway.decrementAndGet();
            throw e;
        }
        if (together.isEmpty()) {
            underway.decrementAndGet();
        } else {
            send(together);
        }
        if (!tooLate.isEmpty()) {
            failApart(tooLate, NotCharged.overdue());
        }
    }

    private boolean mayLeave() {
        boolean isWorthATrip =
                chargesWaiting.get() >= BatchLimits.LARGE_BATCH_CHARGES || wayMicros > BatchLimits.LONG_TRIP_MICROS;
        int most = isWorthATrip ? BatchLimits.MANY_UNDER_WAY : BatchLimits.FEW_UNDER_WAY;
        int now = underway.get();
        while (now < most) {
            if (underway.compareAndSet(now, now + 1)) {
                return true;
            }
            now = underway.get();
        }
        return false;
    }

    /**
     * Takes the asks from the front that may travel together; none if all of them are too late. They are removed at the end: if
     * something fails before, none is lost.
     */
    private List<BatchedAsk> take(List<BatchedAsk> tooLate) {
        List<BatchedAsk> together = new ArrayList<>();
        long now = clock.micros();
        int charges = 0;
        for (BatchedAsk next : waiting) {
            if (next.isOverdue(now)) {
                tooLate.add(next);
                continue;
            }
            charges += next.ask().size();
            if (charges > BatchLimits.MAX_CHARGES && !together.isEmpty()) {
                break;
            }
            together.add(next);
        }
        for (int i = together.size() + tooLate.size(); i > 0; i--) {
            removeFirst();
        }
        return together;
    }

    private BatchedAsk removeFirst() {
        BatchedAsk first = waiting.remove();
        chargesWaiting.addAndGet(-first.ask().size());
        return first;
    }

    private void send(List<BatchedAsk> together) {
        Flight flight = new Flight(together);
        try {
            Batch batch = new Batch(together, ruleIds);
            CompletableFuture<byte[]> reply = send.apply(batch).toCompletableFuture();
            CompletableFuture<byte[]> told = reply.whenComplete(
                    (answer, failure) -> flight.callBack(() -> landed(flight, batch, answer, failure)));
            if (!told.isDone()) {
                CompletableFuture<byte[]> unused = told.copy()
                        .orTimeout(lateAfter.get().toNanos(), TimeUnit.NANOSECONDS)
                        .whenComplete((answer, failure) -> flight.free());
            }
        } catch (Throwable e) {
            flight.free();
            failApart(together, e);
        } finally {
            flight.hasLeft = true;
        }
    }

    private void landed(Flight flight, Batch batch, byte @Nullable [] answer, @Nullable Throwable failure) {
        if (answer != null) {
            long took = Math.max(0, clock.micros() - flight.sentMicros); // less where the clock was set back
            wayMicros = Math.min(took, wayMicros + wayMicros / 8 + 1);
        }
        flight.free(); // before the callers get their answers: the next batch travels meanwhile
        if (answer == null) {
            fail(flight.asks, failure == null ? new IllegalStateException("no answer") : failure);
        } else {
            tell(batch, answer, flight.asks);
        }
    }

    /**
     * A batch that is under way. Its place is free again when it is answered or late: a server that is slow or gone must not keep
     * others from being sent.
     */
    private final class Flight {
        private final List<BatchedAsk> asks;
        private final long sentMicros = clock.micros();
        private final Thread sender = Thread.currentThread();
        private final AtomicBoolean isFree = new AtomicBoolean();

        /** Written by the sender, and read by others only to find out whether they are the sender. */
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

        /** Never runs within the call that sends: callbacks of other callers must not run in the context of that caller. */
        void callBack(Runnable task) {
            if (Thread.currentThread() == sender && !hasLeft) {
                callbacks.execute(task);
            } else {
                task.run();
            }
        }
    }

    private void tell(Batch batch, byte[] answer, List<BatchedAsk> together) {
        try {
            batch.read(answer, new Telling());
        } catch (RuntimeException e) {
            fail(together, e); // asks that were answered already stay so
        }
    }

    /** Fails the asks in another context than the caller's, if there is one. */
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

    private final class Telling implements Batch.Listener {
        @Override
        public void answered(BatchedAsk asked, Decision decision) {
            asked.answer().complete(decision);
        }

        @Override
        public void notAnswered(BatchedAsk asked, Batch.Outcome outcome) {
            if (outcome == Batch.Outcome.FOREIGN_VALUE) {
                asked.answer()
                        .completeExceptionally(new StoreRefused(
                                "a key of " + asked.ask() + " holds what no Penstock wrote (expected: a state)"));
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
