package dev.penstock.server.internal.fields;

import static dev.penstock.server.internal.fields.Deciding.ANYBODY;
import static dev.penstock.server.internal.fields.Deciding.MINUTE;
import static dev.penstock.server.internal.fields.Deciding.SECOND;
import static dev.penstock.server.internal.fields.Deciding.api;
import static dev.penstock.server.internal.fields.Deciding.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarPeriod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The header fields of a limit: capacity, window, unit, remaining amount and reset time. */
class DecisionFieldsTest {
    private final Deciding deciding = new Deciding();

    @Test
    void of_allowed_hasEverythingInOrder() {
        Decision decision =
                deciding.limiter(api(Limit.tokenBucket(100, MINUTE))).decide(ANYBODY);

        assertThat(new DecisionFields(FieldChoices.USUAL).of(decision))
                .extracting(HeaderField::toString)
                .containsExactly(
                        "RateLimit-Policy: \"api\";q=100;w=60",
                        "RateLimit: \"api\";r=99;t=60",
                        "X-RateLimit-Limit: 100",
                        "X-RateLimit-Remaining: 99",
                        "X-RateLimit-Reset: "
                                + Instant.parse("2025-06-18T13:37:22Z").getEpochSecond());
    }

    @Test
    void of_denied_hasRetryAfterAndNoStore() {
        Decision decision = decide(deciding.limiter(api(Limit.fixedWindow(2, MINUTE))), 3);

        assertThat(new DecisionFields(FieldChoices.USUAL).of(decision))
                .extracting(HeaderField::toString)
                .containsExactly(
                        "RateLimit-Policy: \"api\";q=2;w=60",
                        "RateLimit: \"api\";r=0;t=39",
                        "X-RateLimit-Limit: 2",
                        "X-RateLimit-Remaining: 0",
                        "X-RateLimit-Reset: "
                                + Instant.parse("2025-06-18T13:38:00Z").getEpochSecond(),
                        "Retry-After: 39",
                        "Cache-Control: no-store");
    }

    @Test
    void of_exampleOfTheDocs_isWhatIsSent() throws IOException {
        Policy all = Policy.named("all").limit(Limit.tokenBucket(1_000, MINUTE));
        Limiter limiter = deciding.limiter(all, api(Limit.tokenBucket(100, MINUTE), Limit.concurrency(5, MINUTE)));
        for (String other : List.of("b", "c", "d", "e")) {
            limiter.decide(Request.of("user", other).cost("requests", 68));
        }
        Decision decision = limiter.decide(ANYBODY.cost("requests", 88));
        String sent = new DecisionFields(FieldChoices.USUAL)
                .of(decision).stream().map(HeaderField::toString).collect(Collectors.joining("\n"));

        assertThat(Files.readString(Path.of("..", "docs", "header-fields.md"))).contains("```\n" + sent + "\n```");
    }

    static Stream<Arguments> everyAlgorithm() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        return Stream.of(
                Arguments.of(Limit.tokenBucket(100, MINUTE), "\"api\";q=100;w=60"),
                Arguments.of(Limit.tokenBucket(100, MINUTE, 20), "\"api\";q=20;w=12"),
                Arguments.of(Limit.tokenBucket(100, MINUTE, 500), "\"api\";q=500;w=300"),
                Arguments.of(Limit.tokenBucket(7, SECOND, 20), "\"api\";q=20;w=3"),
                Arguments.of(Limit.tokenBucket(10, SECOND, 5), "\"api\";q=5"),
                Arguments.of(Limit.leakyBucket(10, SECOND, 50), "\"api\";q=50;w=5"),
                Arguments.of(Limit.fixedWindow(10, SECOND), "\"api\";q=10;w=1"),
                Arguments.of(Limit.fixedWindow(10, Duration.ofMillis(999)), "\"api\";q=10"),
                Arguments.of(Limit.fixedWindow(10, Duration.ofMillis(1_001)), "\"api\";q=10;w=2"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.DAY, berlin), "\"api\";q=10;w=86400"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.WEEK, berlin), "\"api\";q=10;w=604800"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.MONTH, berlin), "\"api\";q=10;w=2678400"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.YEAR, berlin), "\"api\";q=10;w=31622400"),
                Arguments.of(Limit.slidingWindow(10, Duration.ofHours(1)), "\"api\";q=10;w=3600"),
                Arguments.of(Limit.slidingLog(10, MINUTE), "\"api\";q=10;w=60"),
                Arguments.of(Limit.concurrency(5, MINUTE), "\"api\";q=5;qu=\"concurrent-requests\""));
    }

    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void of_everyAlgorithm_hasCapacityWindowAndUnit(Limit limit, String policy) {
        Limiter limiter = deciding.limiter(api(limit));

        Decision first = limiter.decide(ANYBODY);
        assertThat(Wire.of(first).text("RateLimit-Policy")).isEqualTo(policy);
        assertThat(Wire.of(first).limits().get(0).integer("r")).isEqualTo(limit.capacity() - 1);

        Decision denied = decide(limiter, (int) limit.capacity());
        Wire wire = Wire.of(denied);
        assertThat(denied.isAllowed()).isFalse();
        assertThat(wire.text("RateLimit-Policy")).isEqualTo(policy);
        assertThat(wire.limits().get(0).integer("r")).isZero();
        assertThat(wire.limits().get(0).integer("t")).isEqualTo(wire.number("Retry-After"));
    }

    @Test
    void of_otherUnits_areNamed() {
        Limiter limiter = deciding.limiter(api(
                Limit.tokenBucket(1_000, MINUTE).unit("tokens"),
                Limit.fixedWindow(9, MINUTE).unit("größe \"\\%")));
        Wire wire = Wire.of(limiter.decide(ANYBODY.cost("tokens", 400).cost("größe \"\\%", 2)));

        assertThat(wire.policies())
                .extracting(member -> member.parameters().get("qu"))
                .containsExactly("tokens", "gr%C3%B6%C3%9Fe \"\\%25");
        assertThat(wire.limits()).extracting(member -> member.integer("r")).containsExactly(600L, 7L);
    }

    /**
     * While slots are available, it is unknown when more will be. When none is left, the first is free by that time.
     */
    @Test
    void of_slots_haveAWindowOnlyIfTheyDeny() {
        Limiter limiter = deciding.limiter(api(Limit.concurrency(1, Duration.ofMillis(2_500))));

        assertThat(Wire.of(limiter.decide(ANYBODY)).text("RateLimit")).isEqualTo("\"api\";r=0");
        assertThat(Wire.of(limiter.decide(ANYBODY)).text("RateLimit")).isEqualTo("\"api\";r=0;t=3");
    }

    @Test
    void of_windows_haveTheirEnd_asTheResetFieldDoes_evenIfNothingIsSpent() {
        Limiter fixed = deciding.limiter(api(Limit.fixedWindow(60, MINUTE)));
        assertThat(Wire.of(fixed.decide(ANYBODY.cost("requests", 0))).text("RateLimit"))
                .isEqualTo("\"api\";r=60;t=39");
        assertThat(Wire.of(decide(fixed, 10)).text("RateLimit")).isEqualTo("\"api\";r=50;t=39");
        assertThat(Wire.of(decide(fixed, 30)).text("RateLimit")).isEqualTo("\"api\";r=20;t=39");

        Limiter daily = deciding.limiter(api(Limit.calendarWindow(1_000, CalendarPeriod.DAY, ZoneId.of("UTC"))));
        long midnight = Instant.parse("2025-06-19T00:00:00Z").getEpochSecond();
        for (long cost : List.of(0L, 400L, 0L)) {
            Wire wire = Wire.of(daily.decide(ANYBODY.cost("requests", cost)));
            assertThat(wire.limits().get(0).integer("t")).isEqualTo(37_359);
            assertThat(wire.number("X-RateLimit-Reset")).isEqualTo(midnight);
        }
    }

    @Test
    void of_effectiveWindow_isUntilAllIsAvailable_butNeverAboveTheRate() {
        Limiter bucket = deciding.limiter(api(Limit.tokenBucket(60, MINUTE)));
        assertThat(Wire.of(decide(bucket, 10)).text("RateLimit")).isEqualTo("\"api\";r=50;t=50");
        assertThat(Wire.of(decide(bucket, 50)).text("RateLimit")).isEqualTo("\"api\";r=0;t=60");

        Limiter sliding = deciding.limiter(api(Limit.slidingWindow(60, MINUTE)));
        assertThat(Wire.of(decide(sliding, 60)).text("RateLimit")).isEqualTo("\"api\";r=0;t=60");

        assertThat(Wire.of(bucket.peek(Request.of("user", "new").cost("requests", 0)))
                        .text("RateLimit"))
                .isEqualTo("\"api\";r=60;t=60");
    }

    @Test
    void of_numbersTooLargeForStructuredFields_areTheMaximum() {
        long most = 1L << 52;
        Limiter limiter = deciding.limiter(
                api(Limit.fixedWindow(most, MINUTE)),
                Policy.named("slow").limit(Limit.tokenBucket(2, Algorithm.LONGEST), "user"));
        Wire wire = Wire.of(limiter.decide(ANYBODY));

        assertThat(wire.policies().get(0).integer("q")).isEqualTo(RateLimitFields.LARGEST);
        assertThat(wire.limits()).extracting(limit -> limit.integer("r")).containsExactly(1L, RateLimitFields.LARGEST);
        assertThat(wire.policies().get(1).integer("w")).isEqualTo(Algorithm.LONGEST.toSeconds());
        assertThat(wire.limits().get(0).integer("t")).isEqualTo(Algorithm.LONGEST.toSeconds() / 2);
    }
}
