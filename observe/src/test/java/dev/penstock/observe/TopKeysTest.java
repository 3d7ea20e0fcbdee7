package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.Request;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopKeysTest {
    private final ManualClock clock = new ManualClock();
    private final TopKeys topKeys = new TopKeys(clock, 100);
    private final Limiter limiter = Limiter.builder(
                    Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(10, Duration.ofDays(1)), "user")))
            .clock(clock)
            .listener(topKeys)
            .build();

    @AfterEach
    void close() {
        limiter.close();
    }

    private void ask(String user, int times) {
        for (int i = 0; i < times; i++) {
            limiter.decide(Request.of("user", user));
        }
    }

    private static List<String> told(TopKeyList top) {
        return top.topKeys().stream()
                .map(topKey -> String.join("/", topKey.key().values()) + " " + topKey.count())
                .toList();
    }

    @Test
    void mostRequestedAndMostDeniedKeys_areReported() {
        ask("ann", 30);
        ask("bob", 12);
        ask("eve", 5);

        assertThat(topKeys.policies()).containsExactly("users");
        assertThat(told(topKeys.asked("users", 2))).containsExactly("ann 30", "bob 12");
        assertThat(told(topKeys.denied("users", 9))).containsExactly("ann 20", "bob 2");
        assertThat(topKeys.keys("users")).isBetween(2L, 3L); // two keys may share a register of the sketch
    }

    /** A denial by a limit and by its block counts as one denial. */
    @Test
    void keyThatIsBlocked_isDeniedOnceByEachDecision() {
        Policy login = Policy.named("login")
                .limit(PolicyLimit.of(Limit.slidingLog(2, Duration.ofMinutes(1)))
                        .by("ip")
                        .blockFor(Duration.ofMinutes(10)));
        try (Limiter blocking = Limiter.builder(Policy.setOf(login))
                .clock(clock)
                .listener(topKeys)
                .build()) {
            for (int i = 0; i < 9; i++) {
                blocking.decide(Request.of("ip", "192.0.2.1"));
            }
        }

        assertThat(told(topKeys.asked("login", 9))).containsExactly("192.0.2.1 9");
        assertThat(told(topKeys.denied("login", 9))).containsExactly("192.0.2.1 7");
    }

    @Test
    void unknownPolicy_hasNone() {
        assertThat(topKeys.asked("none", 10)).isEqualTo(TopKeyList.NONE);
        assertThat(topKeys.keys("none")).isZero();
    }

    @Test
    void counts_coverTheCurrentAndThePreviousSpan() {
        ask("ann", 3);
        clock.advance(Duration.ofMinutes(1));
        topKeys.turn();
        ask("ann", 2);
        assertThat(told(topKeys.asked("users", 9))).containsExactly("ann 5");

        clock.advance(Duration.ofMinutes(1));
        topKeys.turn();
        assertThat(topKeys.span()).isEqualTo(Duration.ofMinutes(1));
        assertThat(told(topKeys.asked("users", 9))).containsExactly("ann 2");
        clock.advance(Duration.ofMinutes(1));
        topKeys.turn();
        assertThat(topKeys.policies()).isEmpty();
    }

    @Test
    void hotKey_isDetectedOnce_whileItIsHot() {
        for (int span = 0; span < 3; span++) {
            ask("ann", 200);
            ask("bob", 199);
            clock.advance(Duration.ofSeconds(2));
            topKeys.turn();
            assertThat(topKeys.hot()).hasSize(1).allMatch(key -> key.values().contains("ann"));
            assertThat(topKeys.detected()).isEqualTo(1);
        }
        clock.advance(Duration.ofSeconds(2));
        topKeys.turn();
        assertThat(topKeys.hot()).isEmpty();
        ask("ann", 200);
        clock.advance(Duration.ofSeconds(2));
        topKeys.turn();
        assertThat(topKeys.detected()).isEqualTo(2);
    }

    @Test
    void manyThreads_loseNothing() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 8; i++) {
            String own = "user-" + i;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                ask("ann", 500);
                ask(own, 100);
            });
            threads.add(thread);
            thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(told(topKeys.asked("users", 1))).containsExactly("ann 4000");
        assertThat(topKeys.asked("users", 100).topKeys()).hasSize(9);
        assertThat(topKeys.keys("users")).isBetween(7L, 9L); // two keys may share a register of the sketch
    }
}
