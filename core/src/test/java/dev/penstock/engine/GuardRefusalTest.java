package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.TEN_A_SECOND;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.grantOf;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.StoreRefused;
import dev.penstock.testkit.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A healthy store that will not decide for one key. */
class GuardRefusalTest {
    private final GuardedStore guarded = new GuardedStore();

    @Test
    void decide_rejected_failureModeAnswersAndTheBreakerStaysClosed() {
        guarded.store.mood = Mood.REFUSING;
        for (int i = 0; i < 100; i++) {
            Decision closed = guarded.denied(Ask.of(charge(TEN_A_SECOND, "ann", 1, FailureMode.CLOSED)));
            assertThat(isByFallback(closed)).isTrue();
        }
        assertThat(isByFallback(guarded.allowed(ask("ann")))).isTrue();
        assertThat(guarded.events).isEmpty();
        guarded.store.mood = Mood.AT_ONCE;
        assertThat(isByFallback(guarded.allowed(ask("bob")))).isFalse();
    }

    @Test
    void decide_probeIsRejected_findsTheStore() {
        guarded.loseStore();
        guarded.store.mood = Mood.REFUSING;
        for (int i = 0; i < 10; i++) {
            guarded.clock.advance(Duration.ofSeconds(1));
            guarded.decide(ask("ann"));
        }
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void settle_rejected_isDroppedAndTheBreakerStaysClosed() {
        Limit tokens = Limit.fixedWindow(100, Duration.ofDays(1)).unit("tokens");
        String id = grantOf(guarded.allowed(Ask.of(charge(tokens, "ann", 1)).hold(Hold.of(Duration.ofMinutes(1)))))
                .id();
        guarded.store.mood = Mood.REFUSING;
        guarded.guard.settle(id, null);
        guarded.clock.advance(Duration.ofMinutes(1));
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(0, 1));
        assertThat(guarded.events).isEmpty();
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_rejected_isDroppedAndTheBreakerStaysClosed() {
        Ask daily = Ask.of(charge(Limit.fixedWindow(100, Duration.ofDays(1)), "ann", 1));
        guarded.allowed(daily);
        guarded.loseStore();
        guarded.allowed(daily);
        guarded.regainStore();
        guarded.events.clear();
        guarded.store.mood = Mood.REFUSING;
        guarded.clock.advance(Duration.ofMinutes(2));
        assertThat(guarded.store.settles).isEmpty();
        assertThat(guarded.events).isEmpty();
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void rejections_areLoggedOncePerKey() {
        List<String> lines = logged(() -> {
            guarded.store.mood = Mood.REFUSING;
            for (int i = 0; i < 10; i++) {
                guarded.decide(ask("ann"));
            }
        });
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("SEVERE").contains("the key of ann holds something else");
    }

    @Test
    void failures_areLoggedOnce_andWhenTheStoreIsGivenUp() {
        List<String> lines = logged(guarded::loseStore);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains("WARNING").contains("a round trip to the store failed", "cut");
        assertThat(lines.get(1)).contains("SEVERE").contains("the failure modes of the policies decide", "cut");
    }

    @Test
    void missingReplies_areLoggedWhenTheStoreIsGivenUp() {
        List<String> lines = logged(() -> {
            guarded.store.mood = Mood.WHEN_TOLD;
            for (int i = 0; i < 10; i++) {
                guarded.guard.decide(ask("ann"));
            }
            guarded.clock.advance(Duration.ofSeconds(1));
        });
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("SEVERE").contains("no answer within the deadline");
    }

    private static List<String> logged(Runnable action) {
        try (LogLines log = LogLines.of(Guard.class)) {
            action.run();
            return List.copyOf(log.all());
        }
    }

    @Test
    void in_findsTheRejectionAmongTheCauses() {
        StoreRefused refused = new StoreRefused("key: list (expected: a state)");
        assertThat(StoreRefused.in(new IllegalStateException("a slot", new CompletionException(refused))))
                .isSameAs(refused);
        assertThat(StoreRefused.in(new IllegalStateException("cut"))).isNull();
        assertThat(StoreRefused.in(null)).isNull();
    }
}
