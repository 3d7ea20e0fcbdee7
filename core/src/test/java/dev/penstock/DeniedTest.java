package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeniedTest {
    private static final Request BOB = Request.of("user", "bob");

    private final ManualClock clock = new ManualClock();

    private Denied denied(Limit limit, Request request) {
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p").limit(limit, "user")))
                .clock(clock)
                .build();
        for (int i = 0; i < 1_000; i++) {
            if (limiter.decide(request) instanceof Denied denied) {
                return denied;
            }
        }
        throw new AssertionError(limit + " (expected: denies a request)");
    }

    @Test
    void retryAfterSeconds_fractionOfASecond_isRoundedUp() {
        Denied denied = denied(Limit.tokenBucket(1, Duration.ofMillis(2_500)), BOB);

        assertThat(denied.retry().waitFor()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(denied.retryAfterSeconds()).isEqualTo(3);
    }

    @Test
    void retryAfterSeconds_wholeSeconds_areUnchanged() {
        assertThat(denied(Limit.tokenBucket(1, Duration.ofSeconds(7)), BOB).retryAfterSeconds())
                .isEqualTo(7);
    }

    @Test
    void retryAfterSeconds_never_isTheLargestNumberThatClientsUnderstand() {
        Denied denied = denied(Limit.tokenBucket(1, Duration.ofSeconds(1)), BOB.cost("requests", 2));

        assertThat(denied.retry()).isEqualTo(new Retry.Never());
        assertThat(denied.retryAfterSeconds()).isEqualTo(2_147_483_647L);
    }
}
