package dev.penstock.server.internal.fields;

import static dev.penstock.server.internal.fields.Deciding.ANYBODY;
import static dev.penstock.server.internal.fields.Deciding.MINUTE;
import static dev.penstock.server.internal.fields.Deciding.api;
import static dev.penstock.server.internal.fields.Deciding.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.server.internal.fields.FieldChoices.Family;
import dev.penstock.server.internal.fields.FieldChoices.ResetForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The time to retry, and the choice of fields. */
class DecisionFieldsRetryTest {
    private final Deciding deciding = new Deciding();

    @Test
    void of_costAboveCapacity_hasNoRetryAfter() {
        Wire wire = Wire.of(deciding.limiter(api(Limit.tokenBucket(60, MINUTE))).decide(ANYBODY.cost("requests", 61)));

        assertThat(wire.text("RateLimit")).isEqualTo("\"api\";r=60;t=60");
        assertThat(wire.text("Retry-After")).isNull();
        assertThat(wire.text("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void of_waits_areRoundedUpToAtLeastOneSecond() {
        Limiter limiter = deciding.limiter(api(Limit.fixedWindow(1, MINUTE)));
        deciding.clock.set(Instant.parse("2025-06-18T13:37:59.999999Z"));
        assertThat(Wire.of(decide(limiter, 2)).number("Retry-After")).isEqualTo(1);
        deciding.clock.set(Instant.parse("2025-06-18T13:38:58Z"));
        assertThat(Wire.of(decide(limiter, 2)).number("Retry-After")).isEqualTo(2);
        deciding.clock.set(Instant.parse("2025-06-18T13:39:57.999999Z"));
        Decision denied = decide(limiter, 2);
        assertThat(Wire.of(denied).number("Retry-After")).isEqualTo(3);
        assertThat(Wire.of(denied).number("X-RateLimit-Reset"))
                .isEqualTo(Instant.parse("2025-06-18T13:40:00Z").getEpochSecond());
        assertThat(Wire.of(denied, FieldChoices.USUAL.reset(ResetForm.DELTA)).number("X-RateLimit-Reset"))
                .isEqualTo(3);
    }

    @Test
    void of_jitter_addsUpToThatManySecondsToRetryAfterOnly() {
        Decision denied = decide(deciding.limiter(api(Limit.fixedWindow(1, MINUTE))), 2);
        DecisionFields fields = new DecisionFields(FieldChoices.USUAL.retryJitterSeconds(3), new SplittableRandom(42));
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Wire wire = Wire.of(fields.of(denied));
            waits.add(wire.number("Retry-After"));
            assertThat(wire.limits().get(0).integer("t")).isEqualTo(39);
        }

        assertThat(waits).contains(39L, 40L, 41L, 42L).allMatch(wait -> wait >= 39 && wait <= 42);
    }

    @Test
    void of_familiesSwitchedOff_areNotSent() {
        Decision denied = decide(deciding.limiter(api(Limit.fixedWindow(1, MINUTE))), 2);

        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of())).fields())
                .isEmpty();
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.RATE_LIMIT)))
                        .fields())
                .containsOnlyKeys("RateLimit-Policy", "RateLimit");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.X_RATE_LIMIT)))
                        .fields())
                .containsOnlyKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.RETRY_AFTER)))
                        .fields())
                .containsOnlyKeys("Retry-After");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.CACHE_CONTROL)))
                        .fields())
                .containsOnlyKeys("Cache-Control");
    }

    @Test
    void choices_badJitter_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldChoices.USUAL.retryJitterSeconds(-1))
                .withMessage("retryJitterSeconds: -1 (expected: >= 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldChoices.USUAL.retryJitterSeconds(86_401))
                .withMessage("retryJitterSeconds: 86401 (expected: <= 86400)");
    }
}
