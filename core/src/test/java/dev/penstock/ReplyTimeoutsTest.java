package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.Guard;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every wait has exactly one deadline. */
class ReplyTimeoutsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final Ask ask = Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user"))
            .match(Request.of("user", "bob"));

    /** Never answers. */
    private static final class SilentEngine extends ForwardingEngine {
        SilentEngine() {
            super(MemoryEngine.create());
        }

        @Override
        public boolean mayHaveIssued(String permitId) {
            return true;
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            return Reply.later(new CompletableFuture<>());
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            return Reply.later(new CompletableFuture<>());
        }

        @Override
        public Reply<Completion> reset(Ask ask) {
            return Reply.later(new CompletableFuture<>());
        }
    }

    private final Engine silent = new SilentEngine();
    private final Engine guarded = Guard.builder(silent)
            .deadline(Duration.ofMillis(10))
            .clock(clock)
            .scheduler(clock)
            .build();

    private ReplyTimeouts timeouts(Engine engine) {
        return new ReplyTimeouts(engine, clock, clock);
    }

    private CompletableFuture<Decision> decide(Engine engine) {
        return timeouts(engine).decisionLater(engine.decide(ask), ask);
    }

    private CompletableFuture<Settlement> settle(Engine engine) {
        return timeouts(engine)
                .settlementLater(() -> engine.settle("memory-1", null))
                .toCompletableFuture();
    }

    @Test
    void decision_engineWithDeadline_isBoundedOnlyByIt() {
        CompletableFuture<Decision> answer = decide(guarded);
        assertThat(clock.waitingTasks()).isEqualTo(1);
        clock.advance(Duration.ofMillis(10));
        assertThat(answer)
                .isCompletedWithValueMatching(decision -> decision.decidedBy() == Decision.DecidedBy.FALLBACK);
    }

    @Test
    void decision_engineWithoutDeadline_failureModesAnswerInTime() {
        CompletableFuture<Decision> answer = decide(silent);
        assertThat(clock.waitingTasks()).isEqualTo(1);
        clock.advance(SECOND.minusMillis(1));
        assertThat(answer).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThat(answer)
                .isCompletedWithValueMatching(
                        decision -> decision instanceof Denied denied && denied.reason() == Denied.Reason.STORE_FAILED);
    }

    @Test
    void settlement_engineWithDeadline_isBoundedOnlyByIt() {
        CompletableFuture<Settlement> answer = settle(guarded);
        assertThat(clock.waitingTasks()).isEqualTo(1);
        clock.advance(Duration.ofMillis(10));
        assertThat(answer).isCompletedWithValue(Settlement.pending());
    }

    @Test
    void settlement_engineWithoutDeadline_isUnknownInTime() {
        CompletableFuture<Settlement> answer = settle(silent);
        assertThat(clock.waitingTasks()).isEqualTo(1);
        clock.advance(SECOND);
        assertThat(answer).isCompletedWithValue(Settlement.unknown());
    }

    @Test
    void doneOrFailed_aroundAGuard_failsInTime() {
        CompletableFuture<Completion> answer = timeouts(guarded)
                .doneOrFailed(guarded.reset(ask), ask, () -> {})
                .toCompletableFuture();
        clock.advance(SECOND);
        assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void doneOrFailed_replyAfterTheTimeout_isReportedOnce() {
        CompletableFuture<Completion> reply = new CompletableFuture<>();
        CompletableFuture<Void> late = new CompletableFuture<>();
        CompletableFuture<Completion> answer = timeouts(silent)
                .doneOrFailed(Reply.later(reply), ask, () -> late.complete(null))
                .toCompletableFuture();
        clock.advance(SECOND);
        assertThat(answer).failsWithin(SECOND);
        assertThat(late).isNotDone();
        reply.complete(Completion.DONE);
        assertThat(late).succeedsWithin(SECOND.multipliedBy(60));
    }
}
