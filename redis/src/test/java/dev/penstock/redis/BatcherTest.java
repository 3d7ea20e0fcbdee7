package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

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

    private BatchedAsk asked() {
        return Objects.requireNonNull(BatchedAsk.of(Ask.of(charge), names));
    }
}
