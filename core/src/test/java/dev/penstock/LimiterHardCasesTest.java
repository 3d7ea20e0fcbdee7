package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Cases that once failed: canceled and failing waits, late answers, ids used twice. */
class LimiterHardCasesTest {
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
    void id_reusedByAnotherRequest_doesNotBypassTheLimit() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user"));
        Request alice = Request.of("user", "alice").id("x");
        assertThat(limiter.decide(alice).isAllowed()).isTrue();
        assertThat(limiter.decide(alice).isAllowed()).as("repeated").isTrue();
        assertThat(limiter.decide(alice.cost("requests", 2)).isAllowed()).isFalse();
        assertThat(limiter.decide(BOB.id("x")).isAllowed()).isTrue();
        assertThat(limiter.decide(BOB.id("x")).isAllowed())
                .as("bob's own limit applies")
                .isFalse();
    }

    @Test
    void id_ofAReleasedPermit_isDecidedAgain() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, SECOND), "user"));
        Permit first = limiter.acquire(BOB.id("x"));
        assertThat(limiter.acquire(BOB.id("x")).permitHandle()).isEqualTo(first.permitHandle());
        first.release();
        try (Permit other = limiter.acquire(BOB)) {
            assertThat(other.isGranted()).isTrue();
            assertThat(limiter.acquire(BOB.id("x")).isGranted()).isFalse();
        }
    }

    @Test
    void await_policyThatThrowsLater_failsTheWait() {
        AtomicBoolean broken = new AtomicBoolean();
        Limiter limiter = limiter(Policy.named("p")
                .when(request -> {
                    if (broken.get()) {
                        throw new IllegalStateException("boom");
                    }
                    return true;
                })
                .limit(Limit.tokenBucket(1, SECOND), "user"));
        limiter.decide(BOB);
        CompletableFuture<Decision> answer =
                limiter.await(BOB, Duration.ofSeconds(10)).toCompletableFuture();
        broken.set(true);
        clock.advance(Duration.ofSeconds(2));
        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    void acquireWithin_canceled_takesNoSlot() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, Duration.ofHours(1)), "user"));
        Permit holder = limiter.acquire(BOB);
        CompletableFuture<Permit> permit =
                limiter.acquireWithin(BOB, Duration.ofSeconds(10)).toCompletableFuture();
        CompletableFuture<Decision> decision =
                limiter.await(BOB, Duration.ofSeconds(10)).toCompletableFuture();
        permit.cancel(true);
        decision.cancel(true);
        holder.release();
        clock.advance(Duration.ofSeconds(5));
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
    }

    @Test
    void acquireWithin_slotReleasedJustBeforeTheDeadline_isSeen() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, Duration.ofHours(1)), "user"));
        Permit holder = limiter.acquire(BOB);
        CompletableFuture<Permit> permit =
                limiter.acquireWithin(BOB, Duration.ofMillis(60)).toCompletableFuture();
        clock.advance(Duration.ofMillis(59));
        assertThat(permit).isNotDone();
        holder.release();
        clock.advance(Duration.ofMillis(1));
        assertThat(permit.join().isGranted()).isTrue();
    }

    @Test
    void acquireWithin_clockSetBackAnHour_waitsNoLonger() {
        Limiter limiter = limiter(Policy.named("p").limit(Limit.concurrency(1, Duration.ofHours(9)), "user"));
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
        CompletableFuture<Permit> permit = limiter.acquireWithin(BOB, SECOND).toCompletableFuture();
        clock.advance(Duration.ofMillis(500));
        clock.advance(Duration.ofHours(-1));
        clock.advance(Duration.ofMillis(500));
        assertThat(permit).isCompletedWithValueMatching(denied -> !denied.isGranted());
    }

    @Test
    void acquireWithin_turnLaterThanThePermitLives_isDeniedAndHoldsNothing() {
        Limiter limiter = limiter(Policy.named("p")
                .limit(Limit.leakyBucket(1, Duration.ofSeconds(10), 5), "user")
                .limit(Limit.concurrency(9, SECOND), "user"));
        limiter.acquire(BOB);
        CompletableFuture<Permit> late =
                limiter.acquireWithin(BOB, Duration.ofMinutes(1)).toCompletableFuture();
        clock.advance(Duration.ofSeconds(10));
        assertThat(late.join().decision())
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.PERMIT_EXPIRED));
    }

    @Test
    void acquireWithin_turnComesInAnOutage_isDeniedAndTheSlotIsGivenBack() {
        Engine away = new ForwardingEngine(MemoryEngine.builder().clock(clock).build()) {
            @Override
            public Reply<Settlement> renew(String permitId) {
                return Settlement.pending();
            }
        };
        Policy policy = Policy.named("p")
                .limit(Limit.leakyBucket(1, Duration.ofSeconds(10), 5), "user")
                .limit(Limit.concurrency(9, Duration.ofHours(1)), "user");
        Limiter limiter = Limiter.builder(Policy.setOf(policy))
                .engine(away)
                .clock(clock)
                .scheduler(clock)
                .build();
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
        CompletableFuture<Permit> late =
                limiter.acquireWithin(BOB, Duration.ofMinutes(1)).toCompletableFuture();
        clock.advance(Duration.ofSeconds(10));
        assertThat(late.join().isGranted()).isFalse();
        assertThat(limiter.peek(BOB).limits().get(1).remaining()).isEqualTo(8);
    }

    @Test
    void timeout_continuationThatAsksAgain_doesNotBlockTheTimers() throws Exception {
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user")))
                .engine(new SilentEngine())
                .build();
        Request hasty = BOB.timeout(Duration.ofMillis(20));
        Decision second = limiter.decideAsync(hasty)
                .thenApply(first -> limiter.decide(hasty))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(second.isAllowed()).isFalse();
    }

    @Test
    void reservationThatComesTooLate_isGivenBackWhole() {
        SilentEngine engine = new SilentEngine();
        PolicySet policies = Policy.setOf(Policy.named("p")
                .limit(PolicyLimit.of(Limit.tokenBucket(1_000, SECOND).unit("tokens"))
                        .by("user")
                        .cost(900)));
        Limiter limiter = Limiter.builder(policies).engine(engine).build();
        assertThat(limiter.reserve(BOB.timeout(Duration.ofMillis(20)), Hold.of(SECOND))
                        .isGranted())
                .isFalse();
        engine.answerNow();
        assertThat(engine.decideThere(policies.match(BOB).peek())
                        .limits()
                        .get(0)
                        .remaining())
                .isEqualTo(1_000);
    }

    @Test
    void engineThatThrows_failureModeDecides() {
        SilentEngine broken = new SilentEngine();
        broken.throwing = true;
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, SECOND), "user")))
                .engine(broken)
                .build();
        assertThat(limiter.decide(BOB))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED));
    }

    @Test
    void listener_thatThrowsAnError_losesNoSlot() {
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p").limit(Limit.concurrency(1, SECOND), "user")))
                .clock(clock)
                .listener((request, decision) -> {
                    throw new AssertionError("boom");
                })
                .build();
        limiter.acquire(BOB).close();
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
    }

    @Test
    void settle_unitThatNoLimitCounts_isRejected() {
        Limiter limiter = limiter(Policy.named("p")
                .limit(PolicyLimit.of(Limit.tokenBucket(1_000, SECOND).unit("tokens"))
                        .by("user")
                        .cost(10)));
        Permit permit = limiter.reserve(BOB);
        assertThatThrownBy(() -> permit.settle("token", 1))
                .hasMessage("costs.token: no limit counts it (expected: tokens)");
        assertThat(permit.settle("tokens", 1).charged()).isEqualTo(Costs.of("tokens", 1));
        assertThat(permit.toString() + permit.permitHandle())
                .doesNotContain(permit.permitHandle().id());
    }

    @Test
    void reserve_unitThatNoLimitCounts_isRejectedAndChargesNothing() {
        Limiter limiter = limiter(
                Policy.named("calls").limit(Limit.tokenBucket(10, SECOND), "user"),
                Policy.named("model")
                        .when(request -> request.attribute("model") != null)
                        .limit(PolicyLimit.of(Limit.tokenBucket(1_000, SECOND).unit("tokens"))
                                .by("user")
                                .cost(10)));
        Request misspelled = BOB.cost("tokenz", 5);
        String problem = "costs.tokenz: no limit counts it (expected: requests or tokens)";
        assertThatThrownBy(() -> limiter.reserve(misspelled)).hasMessage(problem);
        assertThat(limiter.reserveAsync(misspelled, Hold.of(SECOND)).toCompletableFuture())
                .failsWithin(SECOND)
                .withThrowableThat()
                .withMessageEndingWith(problem);
        assertThatThrownBy(() -> limiter.settle("memory-any", Costs.of("tokenz", 1)))
                .hasMessage(problem);
        assertThat(limiter.peek(BOB.cost("requests", 0)).limits().get(0).remaining())
                .isEqualTo(10);

        assertThat(limiter.reserve(BOB.cost("tokens", 5).cost("requests", 1)).isGranted())
                .as("a policy counts tokens, but not for this request")
                .isTrue();
    }

    @Test
    void reserve_withoutAnyPolicy_acceptsAnyUnit() {
        Limiter limiter = limiter(Policy.named("never").when(request -> false).limit(Limit.tokenBucket(10, SECOND)));
        assertThat(limiter.reserve(BOB.cost("tokenz", 5)).isGranted()).isTrue();
    }

    @Test
    void decide_underAConcurrencyLimit_saysThatASlotIsHeld() {
        Limiter limiter = limiter(Policy.named("slots").limit(Limit.concurrency(2, SECOND)));
        Allowed held = (Allowed) limiter.decide(BOB);
        assertThat(held.holdsPermit()).isTrue();
        assertThat(held.toString()).contains("holds a permit until ");
        assertThat(((Allowed) limiter.peek(BOB)).holdsPermit()).isFalse();
    }

    @Test
    void clockOutOfRange_isReported() {
        clock.setMicros(-1);
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Ask ask = Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, SECOND)))
                .match(Request.empty());
        assertThatThrownBy(() -> engine.decide(ask)).hasMessageStartingWith("clock: -1 microseconds (expected: from 0");
    }

    @Test
    void requestsAndTokensOfOneUser_areTwoLimits() {
        Limiter limiter = limiter(Policy.named("ai")
                .limit(Limit.tokenBucket(10, SECOND), "user")
                .limit(PolicyLimit.of(Limit.tokenBucket(100, SECOND).unit("tokens"))
                        .by("user")
                        .cost(60)));
        assertThat(limiter.decide(BOB).limits())
                .extracting(status -> status.remaining())
                .containsExactly(9L, 40L);
    }

    /** A store that does not answer until the test says so. */
    private final class SilentEngine extends ForwardingEngine {
        private final CompletableFuture<Void> gate = new CompletableFuture<>();
        boolean throwing;

        SilentEngine() {
            super(MemoryEngine.builder().clock(clock).build());
        }

        void answerNow() {
            gate.complete(null);
        }

        Decision decideThere(Ask ask) {
            return Objects.requireNonNull(inner.decide(ask).ifReady());
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            if (throwing) {
                throw new IllegalStateException("broken");
            }
            return Reply.later(gate.thenApply(open -> decideThere(ask)));
        }
    }
}
