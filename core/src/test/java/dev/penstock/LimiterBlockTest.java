package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Guard;
import dev.penstock.engine.Leasing;
import dev.penstock.engine.LocalFirst;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that denials cause, as an application sees them. */
class LimiterBlockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Request ANN = Request.of("user", "ann");
    private static final Request BOB = Request.of("user", "bob");
    private static final PolicyLimit TWO_A_SECOND =
            PolicyLimit.of(Limit.tokenBucket(2, SECOND)).by("user");

    private final ManualClock clock = new ManualClock();
    private final MemoryEngine memory = MemoryEngine.builder().clock(clock).build();

    /** Counts the asks that reach the store, and answers when the test says so. */
    private final class Store extends ForwardingEngine {
        final List<Ask> asks = new ArrayList<>();
        boolean fails;
        boolean isSilentToStrikes;
        Runnable beforeDecision = () -> {};

        Store() {
            super(memory);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            asks.add(ask);
            beforeDecision.run();
            beforeDecision = () -> {};
            if (fails) {
                return Reply.later(CompletableFuture.failedFuture(new IllegalStateException("down")));
            }
            return isSilentToStrikes && isStrike(ask) ? Reply.later(new CompletableFuture<>()) : super.decide(ask);
        }

        private static boolean isStrike(Ask ask) {
            return ask.size() > 0
                    && ask.charge(0).limit().algorithm() instanceof Lockout
                    && ask.charge(0).cost() > 0;
        }
    }

    private final Store store = new Store();

    private Limiter limiter(Engine engine, Policy... policies) {
        return Limiter.builder(Policy.setOf(policies))
                .engine(engine)
                .clock(clock)
                .scheduler(clock)
                .build();
    }

    private Limiter limiter(Policy... policies) {
        return limiter(store, policies);
    }

    private static Policy login(PolicyLimit limit) {
        return Policy.named("login").limit(limit);
    }

    private static Allowed allowed(Decision decision) {
        assertThat(decision).isInstanceOf(Allowed.class);
        return (Allowed) decision;
    }

    private static Denied denied(Decision decision) {
        assertThat(decision).isInstanceOf(Denied.class);
        return (Denied) decision;
    }

    private static List<PolicyLimit> threePerMinute() {
        return List.of(
                PolicyLimit.of(Limit.tokenBucket(3, MINUTE)).by("user"),
                PolicyLimit.of(Limit.fixedWindow(3, MINUTE)).by("user"),
                PolicyLimit.of(Limit.slidingWindow(3, MINUTE)).by("user"),
                PolicyLimit.of(Limit.slidingLog(3, MINUTE)).by("user"));
    }

    @ParameterizedTest
    @MethodSource("threePerMinute")
    void parallelLogins_thatAllSucceed_areNotBlocked(PolicyLimit limit) {
        Limiter limiter = limiter(memory, login(limit.blockFor(MINUTE)));
        List<Permit> inFlight = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            inFlight.add(limiter.reserve(ANN, Hold.of(MINUTE)));
        }

        Denied fourth = denied(limiter.reserve(ANN, Hold.of(MINUTE)).decision());

        assertThat(fourth.reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        inFlight.forEach(
                permit -> assertThat(permit.settle("requests", 0).status()).isEqualTo(Settlement.Status.SETTLED));
        allowed(limiter.reserve(ANN, Hold.of(MINUTE)).decision());
    }

    @ParameterizedTest
    @MethodSource("threePerMinute")
    void parallelLogins_thatFail_areBlockedByTheNextDenial(PolicyLimit limit) {
        Limiter limiter = limiter(memory, login(limit.blockFor(TEN_MINUTES)));
        List<Permit> inFlight = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            inFlight.add(limiter.reserve(ANN, Hold.of(MINUTE)));
        }
        inFlight.forEach(
                permit -> assertThat(permit.settle("requests", 1).status()).isEqualTo(Settlement.Status.SETTLED));

        assertThat(denied(limiter.reserve(ANN, Hold.of(MINUTE)).decision()).reason())
                .isEqualTo(Denied.Reason.BLOCKED);
    }

    @Test
    void parallelLogins_oneOfWhichFailed_strikeOnlyIfTheFailedOnesFillTheLimit() {
        Limiter limiter = limiter(memory, login(threePerMinute().get(3).blockFor(TEN_MINUTES)));
        for (int i = 0; i < 2; i++) {
            allowed(limiter.decide(ANN));
        }
        Permit inFlight = limiter.reserve(ANN, Hold.of(MINUTE));

        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(inFlight.settle("requests", 1).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
    }

    private static void drain(Limiter limiter, Request request) {
        allowed(limiter.decide(request));
        allowed(limiter.decide(request));
    }

    private void assertBlockedFor(Duration time, Decision decision) {
        Denied denied = denied(decision);
        assertThat(denied.reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(denied.retry()).isEqualTo(new Retry.NotBefore(clock.now().plus(time), time));
        LimitStatus binding = Objects.requireNonNull(denied.binding());
        assertThat(binding.isBlocked()).isTrue();
        assertThat(binding.policy()).isEqualTo("login");
        assertThat(binding.limit().id()).isEqualTo(TWO_A_SECOND.limit().id());
    }

    @Test
    void denial_blocksTheKeyForAWhile() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        Decision first = limiter.decide(ANN);
        assertBlockedFor(MINUTE, first);
        assertThat(first.limits())
                .extracting(LimitStatus::outcome)
                .containsExactly(LimitStatus.Outcome.EXCEEDED, LimitStatus.Outcome.BLOCKED);
        assertThat(first.charges()).as("the charges that were asked for").hasSize(1);
        clock.advance(SECOND.multipliedBy(59));
        assertBlockedFor(SECOND, limiter.decide(ANN));
        assertBlockedFor(SECOND, limiter.peek(ANN));
        allowed(limiter.decide(BOB));
        clock.advance(SECOND);
        allowed(limiter.decide(ANN));
    }

    @Test
    void allowed_reportsNoBlocks() {
        Limiter limiter = limiter(login(TWO_A_SECOND.block(new BlockRule(3, MINUTE, MINUTE))));
        Allowed allowed = allowed(limiter.decide(ANN));
        assertThat(allowed.limits()).extracting(LimitStatus::limit).containsExactly(TWO_A_SECOND.limit());
        assertThat(Objects.requireNonNull(allowed.binding()).limit()).isEqualTo(TWO_A_SECOND.limit());
        assertThat(store.asks).as("one round trip").hasSize(1);
        assertThat(memory.stats().keys())
                .as("a key without strikes is not stored")
                .isEqualTo(1);
    }

    @Test
    void denials_enoughInAWindow_block() {
        Limiter limiter = limiter(login(TWO_A_SECOND.block(new BlockRule(3, SECOND.multipliedBy(10), MINUTE))));
        drain(limiter, ANN);
        for (int i = 0; i < 2; i++) {
            assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        }
        clock.advance(SECOND.multipliedBy(10));
        drain(limiter, ANN);
        for (int i = 0; i < 2; i++) {
            assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        }
        assertBlockedFor(MINUTE, limiter.decide(ANN));
        clock.advance(MINUTE);
        drain(limiter, ANN);
        assertThat(denied(limiter.decide(ANN)).reason())
                .as("earlier denials are forgotten")
                .isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void denialByAnotherLimit_isNotAStrike() {
        Limiter limiter = limiter(
                login(TWO_A_SECOND.blockFor(MINUTE)),
                Policy.named("all").limit(Limit.fixedWindow(1, SECOND.multipliedBy(5))));
        allowed(limiter.decide(ANN));
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        clock.advance(SECOND.multipliedBy(5));
        allowed(limiter.decide(ANN));
    }

    @Test
    void limitsOfOneCounter_areBlockedSeparately() {
        Limit window = Limit.fixedWindow(3, SECOND);
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(SECOND.multipliedBy(10)))
                .limit(PolicyLimit.of(window).by("user").blockFor(MINUTE)));
        drain(limiter, ANN);
        assertBlockedFor(SECOND.multipliedBy(10), limiter.decide(ANN));
        clock.advance(SECOND.multipliedBy(10));
        allowed(limiter.decide(ANN));
    }

    @Test
    void peek_strikesNothing() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        assertThat(denied(limiter.peek(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        clock.advance(SECOND);
        allowed(limiter.decide(ANN));
    }

    @Test
    void reset_liftsTheBlock() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        denied(limiter.decide(ANN));
        limiter.reset(ANN);
        allowed(limiter.decide(ANN));
    }

    @Test
    void shadow_blocksOnlyInShadow() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)).shadow());
        drain(limiter, ANN);
        assertThat(allowed(limiter.decide(ANN)).shadowDenials())
                .extracting(LimitStatus::outcome)
                .containsExactly(LimitStatus.Outcome.EXCEEDED, LimitStatus.Outcome.BLOCKED);
        clock.advance(SECOND.multipliedBy(59));
        Allowed allowed = allowed(limiter.decide(ANN));
        assertThat(allowed.shadowDenials()).extracting(LimitStatus::isBlocked).containsExactly(true);
        assertThat(allowed.binding()).isNull();
        clock.advance(SECOND);
        assertThat(limiter.decide(ANN).shadowDenials()).isEmpty();
    }

    @Test
    void permits_areGrantedAndSettledAsWithoutBlocks() {
        PolicyLimit tokens = PolicyLimit.of(Limit.tokenBucket(100, SECOND).unit("tokens"))
                .by("user")
                .cost(60);
        Limiter limiter = limiter(login(tokens.blockFor(MINUTE)));
        try (Permit permit = limiter.reserve(ANN)) {
            assertThat(permit.settle("tokens", 10).charged()).isEqualTo(Costs.of("tokens", 10));
        }
        assertThat(Objects.requireNonNull(limiter.peek(ANN).binding()).remaining())
                .isEqualTo(90);
        allowed(limiter.decide(ANN));
        assertThat(denied(limiter.reserve(ANN).decision()).reason()).isEqualTo(Denied.Reason.BLOCKED);
    }

    @Test
    void slots_denials_block() {
        Limiter limiter = limiter(
                login(PolicyLimit.of(Limit.concurrency(1, MINUTE)).by("user").blockFor(MINUTE.multipliedBy(2))));
        Permit permit = limiter.acquire(ANN);
        denied(limiter.decide(ANN));
        permit.close();
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
    }

    @Test
    void strike_notAnswered_delaysTheDenialByHalfOfItsTimeAtMost() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        store.isSilentToStrikes = true;
        CompletionStage<Decision> later = limiter.decideAsync(ANN.timeout(SECOND));
        assertThat(later.toCompletableFuture()).isNotDone();
        clock.advance(Duration.ofMillis(500));
        assertThat(denied(later.toCompletableFuture().join()).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void strike_clockSetBackAnHour_delaysTheDenialNoLonger() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        store.isSilentToStrikes = true;
        store.beforeDecision = () -> {
            clock.advance(Duration.ofMillis(200));
            clock.advance(Duration.ofHours(-1));
        };
        CompletionStage<Decision> later = limiter.decideAsync(ANN.timeout(SECOND));
        clock.advance(Duration.ofMillis(400));
        assertThat(later.toCompletableFuture()).isCompletedWithValueMatching(decision -> !decision.isAllowed());
    }

    @Test
    void strike_notAnswered_requestWithoutTimeout_isEndedByTheGuard() {
        Limiter limiter = guarded(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        store.isSilentToStrikes = true;
        CompletionStage<Decision> later = limiter.decideAsync(ANN);
        assertThat(later.toCompletableFuture()).isNotDone();
        clock.advance(Duration.ofMillis(100));
        assertThat(denied(later.toCompletableFuture().join()).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void strike_withTimeoutAroundAGuard_usesOnlyTheGuardsTimer() {
        Limiter limiter = guarded(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        store.isSilentToStrikes = true;
        CompletionStage<Decision> later = limiter.decideAsync(ANN.timeout(SECOND));
        assertThat(clock.waitingTasks()).isEqualTo(1);
        clock.advance(Duration.ofMillis(500));
        assertThat(denied(later.toCompletableFuture().join()).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void strike_unreadableAnswer_doesNotFailTheDenial() {
        CompletableFuture<Decision> struck = new CompletableFuture<>();
        Limiter limiter = limiter(
                new ForwardingEngine(memory) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        return Store.isStrike(ask) ? Reply.later(struck) : super.decide(ask);
                    }
                },
                login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        CompletableFuture<Decision> later = limiter.decideAsync(ANN).toCompletableFuture();
        Ask unreadable = Ask.of(Charge.of(LimitSettings.of("p", TWO_A_SECOND.limit()), Key.of("c", "ann"), 1));
        struck.complete(new Allowed(
                new Evidence(unreadable, new Snapshot[] {null}, 0, clock.micros(), DecidedBy.STORE), 0, null));
        assertThat(later).isDone();
        assertThat(denied(later.join()).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void strike_thatFails_doesNotFailTheDenial() {
        Limiter limiter = limiter(
                new ForwardingEngine(memory) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        if (Store.isStrike(ask)) {
                            throw new IllegalStateException("no strikes today");
                        }
                        return super.decide(ask);
                    }
                },
                login(TWO_A_SECOND.blockFor(MINUTE)).onStoreFailure(FailureMode.OPEN));
        drain(limiter, ANN);
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
    }

    @Test
    void denyCache_afterTheStrike_knowsTheBlock() {
        Limiter limiter = limiter(
                DenyCache.builder(store).clock(clock).build(),
                login(TWO_A_SECOND.block(new BlockRule(3, MINUTE, SECOND.multipliedBy(3)))));
        drain(limiter, ANN);
        denied(limiter.decide(ANN));
        denied(limiter.decide(ANN));
        assertThat(store.asks).as("the store counts a denial by the cache").hasSize(5);
        assertThat(Store.isStrike(store.asks.get(4))).isTrue();
        assertBlockedFor(SECOND.multipliedBy(3), limiter.decide(ANN));
        int trips = store.asks.size();
        clock.advance(SECOND.multipliedBy(2));
        for (int i = 0; i < 10; i++) {
            Decision blocked = limiter.decide(ANN);
            assertThat(blocked.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
            assertBlockedFor(SECOND, blocked);
        }
        assertThat(store.asks).as("no round trip for a blocked key").hasSize(trips);
        clock.advance(SECOND);
        allowed(limiter.decide(ANN));
    }

    @Test
    void denyCache_resetHere_liftsTheBlock() {
        Limiter limiter = limiter(
                DenyCache.builder(store).clock(clock).build(), login(TWO_A_SECOND.blockFor(SECOND.multipliedBy(3))));
        drain(limiter, ANN);
        denied(limiter.decide(ANN));
        limiter.reset(ANN);
        allowed(limiter.decide(ANN));
    }

    @Test
    void localLimit_blocksInItsProcess() {
        Limiter limiter = limiter(
                LocalFirst.builder(store).clock(clock).build(),
                login(TWO_A_SECOND.local().blockFor(MINUTE)).limit(Limit.fixedWindow(100, Duration.ofDays(1)), "user"));
        drain(limiter, ANN);
        assertBlockedFor(MINUTE, limiter.decide(ANN));
        assertThat(store.asks).hasSize(2);
        clock.advance(SECOND);
        Decision blocked = limiter.decide(ANN);
        assertBlockedFor(SECOND.multipliedBy(59), blocked);
        assertThat(blocked.decidedBy()).isEqualTo(DecidedBy.LOCAL_LIMIT);
    }

    @Test
    void leasedPolicy_withABlock_isDecidedByTheStore() {
        PolicyLimit many = PolicyLimit.of(Limit.tokenBucket(1_000, SECOND)).by("user");
        Limiter limiter = limiter(
                Leasing.builder(store).clock(clock).scheduler(clock).build(),
                login(many.blockFor(MINUTE)).consistency(Consistency.LEASED));
        for (int i = 0; i < 1_000; i++) {
            assertThat(allowed(limiter.decide(ANN)).decidedBy()).isEqualTo(DecidedBy.STORE);
        }
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
    }

    private Limiter guarded(Policy policy) {
        return limiter(
                Guard.builder(store).clock(clock).scheduler(clock).nodes(2).build(), policy);
    }

    private void loseStore(Limiter limiter) {
        store.fails = true;
        for (int i = 0; i < 10; i++) {
            limiter.decide(Request.of("user", "the unlucky"));
            clock.advance(Duration.ofMillis(100));
        }
    }

    private void regainStore(Limiter limiter) {
        store.fails = false;
        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofMillis(500));
            limiter.peek(Request.of("user", "the unlucky"));
        }
    }

    @Test
    void outage_blockOfTheStore_isKept() {
        Limiter limiter = guarded(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        denied(limiter.decide(ANN));
        clock.advance(SECOND.multipliedBy(19));
        loseStore(limiter);
        Denied blocked = denied(limiter.decide(ANN));
        assertThat(blocked.decidedBy()).isEqualTo(DecidedBy.FALLBACK);
        assertThat(blocked.reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(blocked.retry().waitFor()).isEqualTo(SECOND.multipliedBy(40));
        clock.advance(SECOND.multipliedBy(40));
        allowed(limiter.decide(ANN));
    }

    @Test
    void outage_denialsOfTheShare_blockHereAndArePostedToTheStore() {
        Limiter limiter = guarded(login(TWO_A_SECOND.blockFor(MINUTE)));
        loseStore(limiter);
        allowed(limiter.decide(ANN));
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
        clock.advance(SECOND.multipliedBy(10));
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
        regainStore(limiter);
        Denied blocked = denied(limiter.decide(ANN));
        assertThat(blocked.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(blocked.reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(blocked.retry().waitFor()).isEqualTo(SECOND.multipliedBy(40));
    }

    @Test
    void outage_unseenKey_isNotBlocked() {
        Limiter limiter = guarded(login(TWO_A_SECOND.block(new BlockRule(2, MINUTE, MINUTE))));
        loseStore(limiter);
        allowed(limiter.decide(ANN));
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(denied(limiter.decide(ANN)).reason()).isEqualTo(Denied.Reason.BLOCKED);
    }

    @Test
    void charges_tooManyWithTheirBlocks_areRejectedAndNothingIsCharged() {
        Policy one = Policy.named("login");
        Policy other = Policy.named("more");
        for (int i = 0; i < 33; i++) {
            PolicyLimit limit = TWO_A_SECOND.counter("c" + i).blockFor(MINUTE);
            one = i < 17 ? one.limit(limit) : one;
            other = i < 17 ? other : other.limit(limit);
        }
        Limiter limiter = limiter(one, other);
        assertThatThrownBy(() -> limiter.decide(ANN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("charges: 66 (expected: <= 64)");
        assertThat(store.asks).isEmpty();
    }

    @Test
    void await_blockedForLonger_isDeniedAtOnce() {
        Limiter limiter = limiter(login(TWO_A_SECOND.blockFor(MINUTE)));
        drain(limiter, ANN);
        CompletionStage<Decision> waiting = limiter.await(ANN, SECOND);
        denied(waiting.toCompletableFuture().join());
    }
}
