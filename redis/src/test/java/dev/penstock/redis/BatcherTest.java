package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private final Charge charge =
            Charge.of(LimitSettings.of("p", Limit.tokenBucket(5, Duration.ofHours(1))), Key.of("p", "k"), 1);
    private final Charge other =
            Charge.of(LimitSettings.of("q", Limit.tokenBucket(5, Duration.ofHours(1))), Key.of("q", "k"), 1);
    private final KeyNames names = new KeyNames("p1");
    private final ManualClock clock = new ManualClock();
    private Duration lateAfter = Duration.ofMinutes(1);
    private Executor callbacks = Runnable::run;
    private Clock watch = clock;
    private final AtomicInteger keys = new AtomicInteger();

    @Test
    void decide_storeGoneWithManyWaiting_failsAll() {
        List<CompletableFuture<byte[]>> underway = new CopyOnWriteArrayList<>();
        Batcher batcher = batcher(batch -> {
            if (underway.size() == 4) {
                throw new IllegalStateException("gone");
            }
            CompletableFuture<byte[]> reply = new CompletableFuture<>();
            underway.add(reply);
            return reply;
        });
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            answers.add(batcher.decide(asked()).toCompletableFuture());
        }
        for (CompletableFuture<byte[]> reply : List.copyOf(underway)) {
            reply.completeExceptionally(new IllegalStateException("cut"));
        }
        // a batch that was given up before the cut is answered on the timer's thread
        await().atMost(Duration.ofSeconds(60))
                .until(() -> answers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void decide_lateBatch_freesItsPlaceForOthers() {
        lateAfter = Duration.ofMillis(1);
        List<CompletableFuture<byte[]>> underway = new CopyOnWriteArrayList<>();
        Batcher batcher = recording(underway);
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answers.add(batcher.decide(asked()).toCompletableFuture());
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> underway.size() > 8);
        assertThat(answers).as("the late replies may still come").noneMatch(CompletableFuture::isDone);
    }

    @Test
    void decide_manyEqualAsksWait_travelTogether() {
        List<Integer> sizes = new ArrayList<>();
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = batcher(call -> {
            sizes.add(call.size());
            CompletableFuture<byte[]> reply = new CompletableFuture<>();
            underway.add(reply);
            return reply;
        });
        for (int i = 0; i < 4; i++) {
            batcher.decide(asked());
        }
        decide(batcher, asked(Ask.of(charge)), BatchLimits.MAX_ASKS + 9);
        sizes.clear();
        while (!underway.isEmpty()) {
            underway.remove(0).completeExceptionally(new IllegalStateException("cut"));
        }
        assertThat(sizes).contains(BatchLimits.MAX_ASKS).allMatch(size -> size <= BatchLimits.MAX_ASKS);
        assertThat(sizes.size())
                .as("batches for %d asks", BatchLimits.MAX_ASKS + 9)
                .isLessThan(8);
    }

    @Test
    void decide_oneKeyIsHot_oneBatchIsInFlightAtATime() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        decide(batcher, asked(Ask.of(charge)), 1_000);
        List<CompletableFuture<byte[]>> earlier = List.copyOf(underway);
        underway.clear();
        earlier.forEach(reply -> reply.completeExceptionally(new IllegalStateException("cut")));
        assertThat(underway).hasSize(1);
        decide(batcher, asked(Ask.of(charge)), 100);
        assertThat(underway).hasSize(1);
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(underway).hasSize(2);
    }

    @Test
    void decide_answeredDuringTheCall_callbacksRunLater() {
        List<Runnable> later = new ArrayList<>();
        callbacks = later::add;
        for (CompletionStage<byte[]> reply : List.of(
                CompletableFuture.completedStage(new byte[9]),
                CompletableFuture.<byte[]>failedStage(new IllegalStateException("gone")))) {
            later.clear();
            CompletableFuture<Decision> answer =
                    batcher(batch -> reply).decide(asked()).toCompletableFuture();
            assertThat(answer).isNotDone();
            assertThat(later).hasSize(1);
            later.get(0).run();
            assertThat(answer).isDone();
        }
    }

    @Test
    void decide_othersAreOverdue_failOutsideTheCall() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        callbacks = later::add;
        Batcher batcher = busy(underway);
        CompletableFuture<Decision> tooLate = batcher.decide(asked()).toCompletableFuture();
        clock.advance(Duration.ofSeconds(2));
        decide(batcher, 64);
        assertThat(tooLate).isNotDone();
        later.forEach(Runnable::run);
        assertThat(tooLate).isCompletedExceptionally();
    }

    @Test
    void decide_truncatedAnswer_failsTheUnansweredAsks() {
        Batcher batcher = batcher(batch -> CompletableFuture.completedStage(new byte[9]));
        assertThat(batcher.decide(asked()).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void decide_errorOnACallersThread_leavesOthersUnharmed() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = batcher(batch -> {
            if (underway.isEmpty()) {
                underway.add(new CompletableFuture<>());
                throw new StackOverflowError("the caller's own");
            }
            underway.add(new CompletableFuture<>());
            return underway.get(underway.size() - 1);
        });
        assertThat(batcher.decide(asked()).toCompletableFuture()).isCompletedExceptionally();
        for (int i = 0; i < 4; i++) {
            batcher.decide(asked());
        }
        assertThat(underway).hasSize(5);
    }

    @Test
    void decide_errorWhileACallerSendsForOthers_theyAreSent() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        AtomicBoolean fails = new AtomicBoolean();
        watch = () -> {
            if (fails.getAndSet(false)) {
                throw new StackOverflowError("the caller's own");
            }
            return clock.micros();
        };
        Batcher batcher = busy(underway);
        decide(batcher, 63);
        assertThat(underway).hasSize(2);
        BatchedAsk last = asked();
        fails.set(true);
        batcher.decide(last);
        assertThat(underway).hasSize(3);
        assertThat(last.answer()).isNotDone();
    }

    @Test
    void decide_clockFails_failsAllWaitingAsks() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        AtomicBoolean fails = new AtomicBoolean();
        watch = () -> {
            if (fails.get()) {
                throw new IllegalStateException("out of order");
            }
            return clock.micros();
        };
        Batcher batcher = busy(underway);
        BatchedAsk waits = asked();
        decide(batcher, waits, 63);
        BatchedAsk last = asked();
        fails.set(true);
        batcher.decide(last);
        assertThat(waits.answer()).isCompletedExceptionally();
        assertThat(last.answer()).isCompletedExceptionally();
    }

    @Test
    void decide_overdueAsksCannotBeFailed_othersAreSent() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        AtomicBoolean refuses = new AtomicBoolean();
        callbacks = task -> {
            if (refuses.getAndSet(false)) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        };
        Batcher batcher = busy(underway);
        BatchedAsk patient = asked(Ask.of(charge).orTimeout(Duration.ofMinutes(1)));
        batcher.decide(patient);
        batcher.decide(asked());
        clock.advance(Duration.ofSeconds(2));
        refuses.set(true);
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(underway).as("the patient one is sent").hasSize(3);
        underway.get(2).completeExceptionally(new IllegalStateException("cut"));
        assertThat(patient.answer()).isCompletedExceptionally();
    }

    @Test
    void decide_twoInFlight_nextIsSentWithManyCharges() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        decide(batcher, asked(Ask.of(charge, other)), 31);
        decide(batcher, 1);
        assertThat(underway).hasSize(2);
        decide(batcher, 1);
        assertThat(underway).hasSize(3);
        decide(batcher, 63);
        assertThat(underway).hasSize(3);
        decide(batcher, 1);
        assertThat(underway).hasSize(4);
    }

    @Test
    void decide_fourInFlight_nothingIsSentBeforeOneIsBack() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        decide(batcher, 1_000);
        assertThat(underway).hasSize(4);
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(underway).hasSize(5);
    }

    @Test
    void decide_unknownRoundTripTime_fourAreSentAtOnce() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        decide(recording(underway), 5);
        assertThat(underway).hasSize(4);
    }

    @Test
    void decide_longRoundTrips_fourAreSentAtOnce() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = recording(underway);
        travel(batcher, underway, Duration.ZERO);
        for (int i = 0; i < 200; i++) {
            travel(batcher, underway, Duration.ofMillis(7));
        }
        decide(batcher, 5);
        assertThat(underway).hasSize(4);
    }

    @Test
    void decide_shortRoundTripAfterLongOnes_twoAreSentAtOnce() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = recording(underway);
        travel(batcher, underway, Duration.ofMillis(7));
        travel(batcher, underway, Duration.ofMillis(2));
        decide(batcher, 5);
        assertThat(underway).hasSize(2);
    }

    @Test
    void decide_clockSetBackDuringARoundTrip_timeIsNotNegative() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = recording(underway);
        travel(batcher, underway, Duration.ofHours(-1));
        for (int i = 0; i < 200; i++) {
            travel(batcher, underway, Duration.ofMillis(7));
        }
        decide(batcher, 5);
        assertThat(underway).hasSize(4);
    }

    @Test
    void decide_failures_doNotChangeTheRoundTripTime() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = recording(underway);
        batcher.decide(asked());
        underway.remove(0).completeExceptionally(new IllegalStateException("cut"));
        decide(batcher, 5);
        assertThat(underway).hasSize(4);
    }

    @Test
    void decide_manyOverdue_areSubtractedWhenDropped() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        decide(batcher, 63);
        clock.advance(Duration.ofSeconds(2));
        decide(batcher, 1);
        assertThat(underway).hasSize(3);
        decide(batcher, 63);
        assertThat(underway).hasSize(3);
    }

    @Test
    void decide_waitedForItsTimeout_isNotCharged() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        Ask impatient = Ask.of(charge).orTimeout(Duration.ofMillis(10));
        CompletableFuture<Decision> tooLate = batcher.decide(asked(impatient)).toCompletableFuture();
        clock.advance(Duration.ofMillis(1));
        CompletableFuture<Decision> inTime = batcher.decide(asked(impatient)).toCompletableFuture();
        clock.advance(Duration.ofMillis(10));
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(underway).hasSize(3);
        assertThat(tooLate).isCompletedExceptionally();
        assertThat(inTime).isNotDone();
    }

    @Test
    void decide_withoutATimeout_waitsForASecond() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = busy(underway);
        CompletableFuture<Decision> tooLate = batcher.decide(asked()).toCompletableFuture();
        clock.advance(Duration.ofNanos(1_000));
        CompletableFuture<Decision> inTime = batcher.decide(asked()).toCompletableFuture();
        clock.advance(Duration.ofSeconds(1));
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(tooLate).isCompletedExceptionally();
        assertThat(inTime).isNotDone();
    }

    /** Returns a batcher with a short round trip and enough batches in flight that a single ask must wait. */
    private Batcher busy(List<CompletableFuture<byte[]>> underway) {
        Batcher batcher = recording(underway);
        travel(batcher, underway, Duration.ofMillis(1));
        decide(batcher, 2);
        return batcher;
    }

    /** Returns a batcher whose batches are answered when the test says so. */
    private Batcher recording(List<CompletableFuture<byte[]>> underway) {
        return batcher(batch -> {
            CompletableFuture<byte[]> reply = new CompletableFuture<>();
            underway.add(reply);
            return reply;
        });
    }

    /** Makes one round trip with nothing else in flight. */
    private void travel(Batcher batcher, List<CompletableFuture<byte[]>> underway, Duration time) {
        batcher.decide(asked());
        clock.advance(time);
        underway.remove(0).complete(new byte[0]);
    }

    /** Sends asks on different keys. */
    private void decide(Batcher batcher, int times) {
        for (int i = 0; i < times; i++) {
            batcher.decide(asked());
        }
    }

    private static void decide(Batcher batcher, BatchedAsk asked, int times) {
        for (int i = 0; i < times; i++) {
            batcher.decide(asked);
        }
    }

    private Batcher batcher(Function<PackedCall, CompletionStage<byte[]>> send) {
        return new Batcher(
                send,
                ask -> CompletableFuture.failedStage(new AssertionError("no batch needs decide.lua here")),
                (counter, rule) -> RuleIds.NONE,
                watch,
                () -> lateAfter,
                callbacks);
    }

    /** Returns an ask on a key of its own. */
    private BatchedAsk asked() {
        return asked(Ask.of(Charge.of(charge.settings(), Key.of("p", "k" + keys.incrementAndGet()), 1)));
    }

    private BatchedAsk asked(Ask ask) {
        return Objects.requireNonNull(BatchedAsk.of(ask, names, clock.micros()));
    }
}
