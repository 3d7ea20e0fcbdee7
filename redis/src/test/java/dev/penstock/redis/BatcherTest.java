package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Decision;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private final Charge charge =
            Charge.of(Terms.of("p", Limit.tokenBucket(5, Duration.ofHours(1))), Key.of("p", "k"), 1);
    private final KeyNames names = new KeyNames("p1");

    @Test
    void decide_storeGoneWithManyWaiting_answersEveryone() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = new Batcher(
                batch -> {
                    if (underway.size() == 4) {
                        throw new IllegalStateException("gone");
                    }
                    CompletableFuture<byte[]> reply = new CompletableFuture<>();
                    underway.add(reply);
                    return reply;
                },
                asked -> CompletableFuture.failedStage(new AssertionError("no long way here")),
                (counter, rule) -> Marks.NONE);
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            answers.add(batcher.decide(asked()).toCompletableFuture());
        }
        for (CompletableFuture<byte[]> reply : List.copyOf(underway)) {
            reply.completeExceptionally(new IllegalStateException("cut"));
        }
        assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void decide_answerCutShort_failsThoseWhoAreNotTold() {
        Batcher batcher = new Batcher(
                batch -> CompletableFuture.completedStage(new byte[9]),
                asked -> CompletableFuture.failedStage(new AssertionError("no long way here")),
                (counter, rule) -> Marks.NONE);
        assertThat(batcher.decide(asked()).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void decide_errorOnACallersThread_leavesOthersUnharmed() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = new Batcher(
                batch -> {
                    if (underway.isEmpty()) {
                        underway.add(new CompletableFuture<>());
                        throw new StackOverflowError("the caller's own");
                    }
                    underway.add(new CompletableFuture<>());
                    return underway.get(underway.size() - 1);
                },
                asked -> CompletableFuture.failedStage(new AssertionError("no long way here")),
                (counter, rule) -> Marks.NONE);
        assertThat(batcher.decide(asked()).toCompletableFuture()).isCompletedExceptionally();
        for (int i = 0; i < 4; i++) {
            batcher.decide(asked());
        }
        assertThat(underway).hasSize(5);
    }

    @Test
    void decide_waitedForItsTimeout_isNotSent() {
        List<CompletableFuture<byte[]>> underway = new ArrayList<>();
        Batcher batcher = new Batcher(
                batch -> {
                    CompletableFuture<byte[]> reply = new CompletableFuture<>();
                    underway.add(reply);
                    return reply;
                },
                asked -> CompletableFuture.failedStage(new AssertionError("no long way here")),
                (counter, rule) -> Marks.NONE);
        for (int i = 0; i < 4; i++) {
            batcher.decide(asked());
        }
        BatchedAsk late =
                Objects.requireNonNull(BatchedAsk.of(Ask.of(charge).orTimeout(Duration.ofNanos(1_000)), names));
        CompletableFuture<Decision> tooLate = batcher.decide(late).toCompletableFuture();
        CompletableFuture<Decision> inTime = batcher.decide(asked()).toCompletableFuture();
        await().until(late::isOverdue);
        underway.get(0).completeExceptionally(new IllegalStateException("cut"));
        assertThat(underway).hasSize(5);
        assertThat(tooLate).isCompletedExceptionally();
        assertThat(inTime).isNotDone();
    }

    private BatchedAsk asked() {
        return Objects.requireNonNull(BatchedAsk.of(Ask.of(charge), names));
    }
}
