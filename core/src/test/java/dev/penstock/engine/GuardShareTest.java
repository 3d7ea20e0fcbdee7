package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The state in which a share starts when the store is lost. */
class GuardShareTest {
    private static final Limit BUCKET = Limit.tokenBucket(100, Duration.ofSeconds(100));
    private static final Limit A_DAY = Limit.fixedWindow(100, Duration.ofDays(1));

    private final AtomicInteger nodes = new AtomicInteger(4);
    private final GuardedStore guarded = new GuardedStore(builder -> builder.nodes(nodes::get));

    private static Ask one(Limit limit) {
        return Ask.of(charge(limit, "ann", 1));
    }

    private void use(Limit limit, long cost) {
        guarded.allowed(Ask.of(charge(limit, "ann", cost)));
    }

    private int startOf(Limit limit) {
        guarded.loseStore();
        return guarded.drain(one(limit));
    }

    @Test
    void start_seenKey_isTheShareOfTheRemainder() {
        use(BUCKET, 60);
        assertThat(startOf(BUCKET)).isEqualTo(10);
    }

    @Test
    void start_window_isTheShareOfTheRemainder() {
        use(A_DAY, 21);
        assertThat(startOf(A_DAY)).isEqualTo(19);
    }

    @Test
    void start_slidingWindowAndLog_areTheShareOfTheRemainder() {
        Limit sliding = Limit.slidingWindow(100, Duration.ofHours(1));
        Limit log = Limit.slidingLog(100, Duration.ofHours(1));
        use(sliding, 60);
        use(log, 80);
        assertThat(startOf(sliding)).isEqualTo(10);
        assertThat(guarded.drain(one(log))).isEqualTo(5);
    }

    @Test
    void start_slots_areTheShareOfTheFreeSlots() {
        Limit slots = Limit.concurrency(40, Duration.ofMinutes(1));
        use(slots, 20);
        assertThat(startOf(slots)).isEqualTo(5);
        guarded.clock.advance(Duration.ofMinutes(1));
        assertThat(guarded.drain(one(slots))).isEqualTo(10);
    }

    @Test
    void start_moreSlotsThanARequestMayTake_succeeds() {
        Limit slots = Limit.concurrency(100_000, Duration.ofMinutes(1));
        assertThat(startOf(slots)).isEqualTo(25_000);
        Ask strict = Ask.of(strictly(slots, "bob"));
        assertThat(guarded.drain(strict)).isEqualTo(1);
    }

    @Test
    void start_leakyBucket_keepsTheQueue() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 40);
        use(shaped, 20);
        guarded.loseStore();
        assertThat(guarded.allowed(one(shaped)).delay()).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(20));
        assertThat(guarded.allowed(Ask.of(charge(shaped, "unseen", 1))).delay()).isZero();
    }

    @Test
    void start_drainedKey_isNothing() {
        use(BUCKET, 100);
        assertThat(startOf(BUCKET)).isZero();
        guarded.clock.advance(Duration.ofSeconds(4));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(1);
    }

    @Test
    void start_deniedKey_isTheRemainderInTheDenial() {
        use(BUCKET, 92);
        guarded.denied(Ask.of(charge(BUCKET, "ann", 9)));
        assertThat(startOf(BUCKET)).isEqualTo(2);
    }

    @Test
    void start_unseenKey_isItsShare() {
        assertThat(startOf(BUCKET)).isEqualTo(25);
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(25);
        assertThat(guarded.drain(one(Limit.slidingWindow(100, Duration.ofHours(1)))))
                .isEqualTo(25);
        assertThat(guarded.drain(one(Limit.slidingLog(100, Duration.ofHours(1)))))
                .isEqualTo(25);
        assertThat(guarded.drain(one(Limit.concurrency(40, Duration.ofMinutes(1)))))
                .isEqualTo(10);
    }

    @Test
    void start_unseenKeyOfAStrictPolicy_isOnePermit() {
        guarded.loseStore();
        assertThat(guarded.drain(Ask.of(strictly(BUCKET, "ann")))).isEqualTo(1);
        assertThat(guarded.drain(Ask.of(strictly(A_DAY, "ann")))).isEqualTo(1);
        guarded.clock.advance(Duration.ofSeconds(4));
        assertThat(guarded.drain(Ask.of(strictly(BUCKET, "ann")))).isEqualTo(1);
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 40);
        assertThat(guarded.drain(Ask.of(strictly(shaped, "ann")))).isEqualTo(10);
    }

    @Test
    void start_seenKeyOfAStrictPolicy_isTheShareOfTheRemainder() {
        guarded.allowed(Ask.of(strictly(A_DAY, "ann").at(20)));
        guarded.loseStore();
        assertThat(guarded.drain(Ask.of(strictly(A_DAY, "ann")))).isEqualTo(20);
    }

    /** Returns a charge of a policy that starts unseen keys with one permit. */
    private static Charge strictly(Limit limit, String who) {
        FailurePlan plan = FailurePlan.of(FailureMode.LOCAL).unseen(FailurePlan.Unseen.ONE);
        return Charge.of(LimitSettings.of("policy", limit).onStoreFailure(plan), Key.of("counter", who), 1);
    }

    @Test
    void start_keySeenTooLongAgo_isTreatedAsUnseen() {
        use(BUCKET, 1);
        guarded.allowed(Ask.of(strictly(BUCKET, "bob")));
        guarded.clock.advance(Duration.ofSeconds(100));
        assertThat(startOf(BUCKET)).isEqualTo(25);
        assertThat(guarded.drain(Ask.of(strictly(BUCKET, "bob")))).isEqualTo(1);
    }

    @Test
    void start_permitsThatHaveComeBack_areIncluded() {
        use(BUCKET, 100);
        guarded.clock.advance(Duration.ofSeconds(60));
        assertThat(startOf(BUCKET)).isEqualTo(15);
    }

    @Test
    void start_windowHasEnded_isTheWholeShare() {
        use(A_DAY, 100);
        guarded.clock.advance(Duration.ofDays(1));
        assertThat(startOf(A_DAY)).isEqualTo(25);
    }

    @Test
    void start_slidingLimits_assumeEvenSpending() {
        Limit sliding = Limit.slidingWindow(100, Duration.ofHours(1));
        Limit log = Limit.slidingLog(100, Duration.ofHours(1));
        use(sliding, 100);
        use(log, 100);
        guarded.clock.advance(Duration.ofMinutes(30));
        assertThat(startOf(sliding)).isBetween(11, 13);
        assertThat(guarded.drain(one(log))).isBetween(11, 13);
    }

    @Test
    void start_tooManyKeys_oldestAreDroppedFirst() {
        GuardedStore small = new GuardedStore(builder -> builder.maxKeys(10));
        for (int i = 0; i < 100; i++) {
            small.allowed(Ask.of(charge(BUCKET, "user " + i, 50)));
        }
        small.loseStore();
        assertThat(small.drain(Ask.of(charge(BUCKET, "user 99", 1)))).isBetween(50, 51);
        assertThat(small.drain(Ask.of(charge(BUCKET, "user 0", 1)))).isEqualTo(100);
    }

    @Test
    void start_storeReportedSince_isReducedToTheReport() {
        use(A_DAY, 1);
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(one(A_DAY));
        guarded.clock.advance(DEADLINE);
        guarded.store.mood = Mood.AT_ONCE;
        use(A_DAY, 91);
        assertThat(startOf(A_DAY)).isEqualTo(2);
    }

    @Test
    void start_shareDrainedInAnEarlierOutage_isRaisedToTheStoresRemainder() {
        use(A_DAY, 4);
        assertThat(startOf(A_DAY)).isEqualTo(24);
        guarded.regainStore();
        use(A_DAY, 4); // the store has 100 - 4 - 24 - 4
        assertThat(startOf(A_DAY)).isEqualTo(17);
    }

    @Test
    void start_secondOutageWithoutAReport_startsFromThePostedAmount() {
        use(A_DAY, 4);
        assertThat(startOf(A_DAY)).isEqualTo(24);
        guarded.regainStore();
        guarded.clock.advance(Duration.ofSeconds(10)); // the rounds post, without requests
        assertThat(startOf(A_DAY)).isEqualTo(18);
    }

    @Test
    void start_secondOutageBeforeThePost_countsTheAmountOwed() {
        use(A_DAY, 4);
        guarded.loseStore();
        use(A_DAY, 10);
        guarded.regainStore();
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(one(A_DAY));
        guarded.store.failNext(); // the post
        guarded.store.answerNext(); // the store has 95 left and does not know of the 10
        assertThat(startOf(A_DAY)).isEqualTo(13);
    }

    @Test
    void start_slotsTakenInAnEarlierOutage_areFreeAgain() {
        Limit slots = Limit.concurrency(40, Duration.ofMinutes(1));
        String permit = GuardedStore.grantOf(guarded.allowed(Ask.of(charge(slots, "ann", 36))))
                .id();
        assertThat(startOf(slots)).isEqualTo(1);
        guarded.regainStore();
        guarded.guard.settle(permit, null);
        use(slots, 1);
        assertThat(startOf(slots)).isEqualTo(9);
    }

    @Test
    void start_oneDecisionWithoutTheStore_leavesNothingBehind() {
        use(BUCKET, 60);
        guarded.store.mood = Mood.FAILING;
        guarded.allowed(one(BUCKET));
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(Duration.ofSeconds(10));
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void share_refillsAtItsPartOfTheRate() {
        use(BUCKET, 100);
        startOf(BUCKET);
        guarded.clock.advance(Duration.ofSeconds(40));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(10);
        guarded.clock.advance(Duration.ofSeconds(400));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(25);
    }

    @Test
    void share_numberOfNodesChanges_usedPermitsStayUsed() {
        use(A_DAY, 4);
        assertThat(startOf(A_DAY)).isEqualTo(24);
        nodes.set(2);
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(25);
        nodes.set(100);
        assertThat(guarded.drain(one(A_DAY))).isZero();
    }

    @Test
    void reset_inAnOutage_restoresTheWholeShare() {
        use(A_DAY, 100);
        assertThat(startOf(A_DAY)).isZero();
        guarded.guard.reset(one(A_DAY));
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(25);
    }
}
