package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.engine.LocalFirst;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The limiter as an application sees it: permits, waiting, listeners, and an engine that answers late or never. */
class LimiterTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Request BOB = Request.of("user", "bob");

    private final ManualClock clock = new ManualClock();

    private Limiter limiter(Policy... policies) {
        return Limiter.builder(Policy.setOf(policies))
                .clock(clock)
                .scheduler(clock)
                .build();
    }

    @Test
    void acquire_closed_freesTheSlot() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, SECOND), "user"));
        try (Permit first = limiter.acquire(BOB);
                Permit second = limiter.acquire(BOB)) {
            assertThat(first.isGranted()).isTrue();
            assertThat(second.isGranted()).isFalse();
            assertThat(second.release().status()).isEqualTo(Settlement.Status.UNKNOWN);
        }
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
    }

    @Test
    void reserve_settledAtLess_givesTheRestBack_atMore_becomesDebt() {
        Limiter limiter = limiter(Policy.named("p")
                .limit(PolicyLimit.of(Limit.tokenBucket(100, SECOND).unit("tokens"))
                        .by("user")
                        .cost(60)));
        Permit permit = limiter.reserve(BOB);
        assertThat(limiter.decide(BOB).isAllowed()).isFalse();
        assertThat(permit.settle("tokens", 10)).isEqualTo(Settlement.settled(Costs.of("tokens", 10)));
        assertThat(permit.settle("tokens", 99)).isEqualTo(Settlement.settled(Costs.of("tokens", 10)));
        assertThat(remaining(limiter)).isEqualTo(90);

        limiter.reserve(BOB).settle("tokens", 150);
        assertThat(remaining(limiter)).isZero();
        clock.advance(Duration.ofMillis(600));
        assertThat(remaining(limiter)).as("a debt of 60 is repaid first").isZero();
        clock.advance(Duration.ofMillis(10));
        assertThat(remaining(limiter)).isEqualTo(1);
    }

    @Test
    void localLimit_isDecidedBeforeTheStoreAndPerProcess() {
        PolicySet policies = Policy.setOf(Policy.named("login")
                .limit(PolicyLimit.of(Limit.tokenBucket(3, SECOND)).by("user").local())
                .limit(Limit.fixedWindow(5, Duration.ofDays(1)), "user"));
        MemoryEngine store = MemoryEngine.builder().clock(clock).build();
        List<Limiter> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(Limiter.builder(policies)
                    .engine(LocalFirst.builder(store).clock(clock).build())
                    .clock(clock)
                    .build());
        }
        assertThat(decisions(processes.get(0), 4))
                .containsExactly(DecidedBy.STORE, DecidedBy.STORE, DecidedBy.STORE, DecidedBy.LOCAL_LIMIT);
        assertThat(decisions(processes.get(1), 2)).containsExactly(DecidedBy.STORE, DecidedBy.STORE);
        Decision third = processes.get(1).decide(BOB);
        assertThat(third.isAllowed()).as("the store's five are used up").isFalse();
        assertThat(third.decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    private static List<DecidedBy> decisions(Limiter limiter, int times) {
        List<DecidedBy> who = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Decision decision = limiter.decide(BOB);
            assertThat(decision.isAllowed()).isEqualTo(decision.decidedBy() == DecidedBy.STORE);
            who.add(decision.decidedBy());
        }
        return who;
    }

    @Test
    void giveBack_leavesNoTrace() {
        Limiter limiter = limiter(Policy.named("login").limit(Limit.slidingLog(2, SECOND), "user"));
        for (int i = 0; i < 10; i++) {
            Permit permit = limiter.reserve(BOB, Hold.of(SECOND));
            assertThat(permit.isGranted()).isTrue();
            assertThat(permit.giveBack().charged()).isEqualTo(Costs.of("requests", 0));
        }
        assertThat(remaining(limiter)).isEqualTo(2);
    }

    @Test
    void permitById_canBeSettledRenewedAndReleasedFromElsewhere() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, SECOND), "user"));
        String id = limiter.acquire(BOB).permitHandle().id();
        clock.advance(Duration.ofMillis(900));
        assertThat(limiter.renew(id).status()).isEqualTo(Settlement.Status.RENEWED);
        clock.advance(Duration.ofMillis(900));
        assertThat(limiter.acquire(BOB).isGranted()).isFalse();
        assertThat(limiter.release(id).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
        assertThat(limiter.release("memory-none").status()).isEqualTo(Settlement.Status.UNKNOWN);
    }

    @Test
    void await_leakyBucket_completesWhenTheTurnHasCome() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.leakyBucket(10, SECOND, 5), "user"));
        List<CompletableFuture<Decision>> turns = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            turns.add(limiter.await(BOB, SECOND).toCompletableFuture());
        }
        for (int i = 0; i < 5; i++) {
            assertThat(turns.get(i)).as("turn %d", i).isDone();
            for (int later = i + 1; later < 5; later++) {
                assertThat(turns.get(later)).isNotDone();
            }
            clock.advance(Duration.ofMillis(100));
        }
        assertThat(turns).allSatisfy(turn -> assertThat(turn.join().isAllowed()).isTrue());
    }

    @Test
    void await_longerThanAccepted_isDeniedAtOnceAndNotCharged() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.leakyBucket(1, SECOND, 10), "user"));
        limiter.decide(BOB);
        Decision decision =
                limiter.await(BOB, Duration.ofMillis(500)).toCompletableFuture().join();
        assertThat(decision.isAllowed()).isFalse();
        assertThat(remaining(limiter)).isEqualTo(9);
    }

    @Test
    void await_deniedRequest_isRepeatedWhenItFits() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user"));
        limiter.decide(BOB);
        CompletableFuture<Decision> answer = limiter.await(BOB, SECOND).toCompletableFuture();
        clock.advance(Duration.ofMillis(999));
        assertThat(answer).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThat(answer.join().isAllowed()).isTrue();
        Request dear = BOB.cost("requests", 2);
        assertThat(limiter.await(dear, SECOND).toCompletableFuture().join().isAllowed())
                .isFalse();
    }

    @Test
    void acquireWithin_slotReleased_isGrantedWithoutABlockedThread() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, Duration.ofMinutes(1)), "user"));
        Permit holder = limiter.acquire(BOB);
        CompletableFuture<Permit> waiting =
                limiter.acquireWithin(BOB, Duration.ofSeconds(10)).toCompletableFuture();
        CompletableFuture<Permit> tooShort =
                limiter.acquireWithin(BOB, Duration.ofMillis(5)).toCompletableFuture();
        clock.advance(SECOND);
        assertThat(waiting).isNotDone();
        assertThat(tooShort.join().isGranted()).isFalse();
        holder.release();
        clock.advance(Duration.ofMillis(100));
        assertThat(waiting.join().isGranted()).isTrue();
    }

    @Test
    void listener_thatThrows_changesNothing() {
        List<Decision> seen = new ArrayList<>();
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user")))
                .clock(clock)
                .listener((request, decision) -> {
                    throw new IllegalStateException("boom");
                })
                .listener((request, decision) -> seen.add(decision))
                .build();
        assertThat(limiter.decide(BOB).isAllowed()).isTrue();
        assertThat(limiter.decide(BOB).isAllowed()).isFalse();
        limiter.peek(BOB);
        assertThat(seen).hasSize(2);
    }

    @Test
    void reset_forgetsTheRequestsAccounts() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user"));
        limiter.decide(BOB);
        limiter.reset(BOB);
        assertThat(limiter.decide(BOB).isAllowed()).isTrue();
    }

    @Test
    void shadowPolicy_isReportedButNeverDenies() {
        Limiter limiter = limiter(Policy.named("p").shadow().limit(Limit.tokenBucket(1, SECOND), "user"));
        assertThat(limiter.decide(BOB).shadowDenials()).isEmpty();
        Decision second = limiter.decide(BOB);
        assertThat(second.isAllowed()).isTrue();
        assertThat(second.shadowDenials())
                .singleElement()
                .satisfies(status -> assertThat(status.policy()).isEqualTo("p"));
    }

    @Test
    void engineThatNeverAnswers_failureModeDecides() {
        Request request = BOB.timeout(Duration.ofMillis(20));
        Policy policy = Policy.named("p").limit(Limit.concurrency(1, SECOND), "user");
        LateEngine silent = new LateEngine();
        Limiter open = Limiter.builder(Policy.setOf(policy.onStoreFailure(FailureMode.OPEN)))
                .engine(silent)
                .build();
        Decision allowed = open.decide(request);
        assertThat(allowed.isAllowed()).isTrue();
        assertThat(allowed.decidedBy()).isEqualTo(DecidedBy.FALLBACK);
        Limiter closed = Limiter.builder(Policy.setOf(policy.onStoreFailure(FailureMode.CLOSED)))
                .engine(silent)
                .build();
        assertThat(closed.decideAsync(request).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED));
    }

    @Test
    void permitThatComesTooLate_isReleased() {
        LateEngine late = new LateEngine();
        Policy policy = Policy.named("p").limit(Limit.concurrency(1, SECOND), "user");
        Limiter limiter = Limiter.builder(Policy.setOf(policy)).engine(late).build();
        Request hasty = BOB.timeout(Duration.ofMillis(20));
        assertThat(limiter.decide(hasty).isAllowed()).isFalse();
        late.answerAll();
        assertThat(late.decideThere(Policy.setOf(policy).match(BOB)))
                .as("the slot is free again")
                .isInstanceOf(Allowed.class);
    }

    @Test
    void engineThatFails_failureModeDecides() {
        LateEngine broken = new LateEngine();
        Policy policy = Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user");
        Limiter limiter = Limiter.builder(Policy.setOf(policy.onStoreFailure(FailureMode.OPEN)))
                .engine(broken)
                .build();
        CompletableFuture<Decision> answer = limiter.decideAsync(BOB).toCompletableFuture();
        broken.failAll();
        assertThat(answer.join().isAllowed()).isTrue();
        assertThat(limiter.release("x").status()).isEqualTo(Settlement.Status.UNKNOWN);
    }

    private long remaining(Limiter limiter) {
        return limiter.peek(BOB).limits().get(0).remaining();
    }

    /** A remote store, which answers when the test says so. */
    private final class LateEngine extends ForwardingEngine {
        private final List<Runnable> answers = new ArrayList<>();
        private final List<CompletableFuture<?>> open = new ArrayList<>();

        LateEngine() {
            super(MemoryEngine.builder().clock(clock).build());
        }

        void answerAll() {
            answers.forEach(Runnable::run);
        }

        void failAll() {
            open.forEach(reply -> reply.completeExceptionally(new IllegalStateException("gone")));
        }

        Decision decideThere(Ask ask) {
            return Objects.requireNonNull(inner.decide(ask).ifReady());
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            CompletableFuture<Decision> reply = new CompletableFuture<>();
            answers.add(() -> reply.complete(decideThere(ask)));
            open.add(reply);
            return Reply.later(reply);
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            CompletionStage<Settlement> failing = CompletableFuture.failedStage(new IllegalStateException("gone"));
            return permitId.equals("x") ? Reply.later(failing) : super.settle(permitId, actual);
        }
    }
}
