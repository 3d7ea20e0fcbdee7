package dev.penstock.guard;

import static dev.penstock.guard.GuardedStore.DEADLINE;
import static dev.penstock.guard.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ask;
import dev.penstock.Limit;
import dev.penstock.guard.ScriptedStore.Mood;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** From where a share starts when the store is lost. */
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
    void start_seenKey_isItsShareOfWhatWasLeft() {
        use(BUCKET, 60);
        assertThat(startOf(BUCKET)).isEqualTo(10);
    }

    @Test
    void start_window_isItsShareOfWhatWasLeft() {
        use(A_DAY, 21);
        assertThat(startOf(A_DAY)).isEqualTo(19);
    }

    @Test
    void start_slidingWindowAndLog_areTheirShareOfWhatWasLeft() {
        Limit sliding = Limit.slidingWindow(100, Duration.ofHours(1));
        Limit log = Limit.slidingLog(100, Duration.ofHours(1));
        use(sliding, 60);
        use(log, 80);
        assertThat(startOf(sliding)).isEqualTo(10);
        assertThat(guarded.drain(one(log))).isEqualTo(5);
    }

    @Test
    void start_slots_areTheirShareOfWhatWasFree() {
        Limit slots = Limit.concurrency(40, Duration.ofMinutes(1));
        use(slots, 20);
        assertThat(startOf(slots)).isEqualTo(5);
        guarded.clock.advance(Duration.ofMinutes(1));
        assertThat(guarded.drain(one(slots))).isEqualTo(10);
    }

    @Test
    void start_moreSlotsThanARequestMayTake_isNoError() {
        Limit slots = Limit.concurrency(100_000, Duration.ofMinutes(1));
        assertThat(startOf(slots)).isEqualTo(1);
    }

    @Test
    void start_leakyBucket_keepsTheQueue() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 40);
        use(shaped, 20);
        guarded.loseStore();
        assertThat(guarded.allowed(one(shaped)).delay()).isEqualTo(Duration.ofSeconds(20));
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
    void start_refusedKey_isWhatTheRefusalTold() {
        use(BUCKET, 92);
        guarded.denied(Ask.of(charge(BUCKET, "ann", 9)));
        assertThat(startOf(BUCKET)).isEqualTo(2);
    }

    @Test
    void start_unseenKey_isOnePermit() {
        assertThat(startOf(BUCKET)).isEqualTo(1);
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(1);
        guarded.clock.advance(Duration.ofSeconds(4));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(1);
    }

    @Test
    void start_keySeenTooLongAgo_isOnePermit() {
        use(BUCKET, 1);
        guarded.clock.advance(Duration.ofSeconds(100));
        assertThat(startOf(BUCKET)).isEqualTo(1);
    }

    @Test
    void start_keysBeyondTheBound_areForgottenOldestFirst() {
        GuardedStore small = new GuardedStore(builder -> builder.maxKeys(10));
        for (int i = 0; i < 100; i++) {
            small.allowed(Ask.of(charge(BUCKET, "user " + i, 50)));
        }
        small.loseStore();
        assertThat(small.drain(Ask.of(charge(BUCKET, "user 99", 1)))).isEqualTo(50);
        assertThat(small.drain(Ask.of(charge(BUCKET, "user 0", 1)))).isEqualTo(1);
    }

    @Test
    void start_storeSpokeSince_isBroughtDownAgain() {
        use(A_DAY, 1);
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(one(A_DAY));
        guarded.clock.advance(DEADLINE);
        guarded.store.mood = Mood.AT_ONCE;
        use(A_DAY, 91);
        assertThat(startOf(A_DAY)).isEqualTo(2);
    }

    @Test
    void start_secondOutage_isNoFullShareEither() {
        use(BUCKET, 60);
        startOf(BUCKET);
        guarded.clock.advance(Duration.ofHours(1));
        guarded.regainStore();
        guarded.clock.advance(Duration.ofSeconds(30));
        assertThat(startOf(BUCKET)).isEqualTo(1);
    }

    @Test
    void start_oneDecisionWithoutTheStore_leavesNothingToClearUp() {
        use(BUCKET, 60);
        guarded.store.mood = Mood.FAILING;
        guarded.allowed(one(BUCKET));
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(Duration.ofSeconds(10));
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void share_thenRefillsAtItsPartOfTheRate() {
        use(BUCKET, 100);
        startOf(BUCKET);
        guarded.clock.advance(Duration.ofSeconds(40));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(10);
        guarded.clock.advance(Duration.ofSeconds(400));
        assertThat(guarded.drain(one(BUCKET))).isEqualTo(25);
    }

    @Test
    void share_numberOfNodesChanges_whatWasUsedStaysUsed() {
        use(A_DAY, 4);
        assertThat(startOf(A_DAY)).isEqualTo(24);
        nodes.set(2);
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(25);
        nodes.set(100);
        assertThat(guarded.drain(one(A_DAY))).isZero();
    }

    @Test
    void reset_inAnOutage_givesTheWholeShare() {
        use(A_DAY, 100);
        assertThat(startOf(A_DAY)).isZero();
        guarded.guard.reset(one(A_DAY));
        assertThat(guarded.drain(one(A_DAY))).isEqualTo(25);
    }
}
