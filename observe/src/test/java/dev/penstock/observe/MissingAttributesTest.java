package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.Request;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MissingAttributesTest {
    private static final Limit LARGE = Limit.tokenBucket(1_000_000, Duration.ofMinutes(1));
    private static final Limit LARGER = Limit.tokenBucket(2_000_000, Duration.ofHours(1));
    private static final Request WITHOUT = Request.of("ip", "192.0.2.1");
    private static final Request WITH = WITHOUT.with("user", "ann");

    private final ManualClock clock = new ManualClock();
    private final DecisionMeters meters = DecisionMeters.builder().clock(clock).to(new SimpleMeterRegistry());

    private final Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("api")
                    .limit(LARGE, "ip", "user")
                    .limit(LARGER, "user")
                    .limit(PolicyLimit.of(LARGE).by("device").whenMissing(WhenMissing.SKIP))))
            .clock(clock)
            .listener(meters)
            .build();

    private void decide(Request request, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(limiter.decide(request).isAllowed()).isTrue();
        }
    }

    @Test
    void request_isCountedOncePerPolicyAndAttribute() {
        decide(WITHOUT, 3);
        decide(WITH, 2);

        assertThat(meters.missing())
                .containsExactly(new MissingAttribute("api", "ip", 5, 0), new MissingAttribute("api", "user", 5, 3));
    }

    @Test
    void mostOfAHundredWithinAMinute_areWarnedAboutOnce() {
        try (LogLines log = LogLines.of(MissingAttributes.class)) {
            decide(WITH, 49);
            decide(WITHOUT, 50);
            assertThat(log.all()).as("99 requests").isEmpty();

            decide(WITHOUT, 500);

            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "WARNING 51 of 100 requests of the last minute lack the attribute user that api counts by.");
        }
    }

    @Test
    void half_isNotMost() {
        try (LogLines log = LogLines.of(MissingAttributes.class)) {
            for (int i = 0; i < 300; i++) {
                decide(WITH, 1);
                decide(WITHOUT, 1);
            }
            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void fewRequestsAMinute_areNotWarnedAbout() {
        try (LogLines log = LogLines.of(MissingAttributes.class)) {
            for (int i = 0; i < 5; i++) {
                decide(WITHOUT, 90);
                clock.advance(Duration.ofMinutes(2));
            }
            assertThat(log.all()).isEmpty();
        }
    }
}
