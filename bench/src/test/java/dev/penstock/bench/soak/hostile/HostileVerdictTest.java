package dev.penstock.bench.soak.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HostileVerdictTest {
    private static final ServiceSample WELL = new ServiceSample(250, 80, 40, 90, 0, 0, 3, 0);
    private static final ServiceEnd GOOD_END =
            new ServiceEnd(true, Duration.ofMillis(20), false, 300, 320, Duration.ofSeconds(9));

    private Map<HonestOutcome, Long> honest = Map.of(HonestOutcome.ALLOWED, 10_000L, HonestOutcome.OVERLOADED, 50L);
    private ServiceSample service = WELL;
    private ServiceEnd end = GOOD_END;
    private double storeMegabytes = 30;
    private long longestCommandMillis;
    private long cut = 5;
    private @Nullable String unexpected;

    private HostileReport report() {
        List<HostileMoment> moments = LongStream.rangeClosed(1, 60)
                .mapToObj(i -> new HostileMoment(
                        5 * i,
                        new HonestCounts.Latency(2, 8),
                        List.of(WELL, service),
                        new StoreSample(storeMegabytes, 1_000, i, 0, 0)))
                .toList();
        HostileResult.AttackResult attack = new HostileResult.AttackResult(
                "ping flood", 31, new AttackCounts.Totals(5, 0, cut, 0, 2_048, unexpected == null ? 0 : 1, unexpected));
        return new HostileReport(new HostileResult(
                Duration.ofMinutes(5),
                300,
                honest,
                null,
                moments,
                List.of(attack),
                List.of(GOOD_END, end),
                longestCommandMillis));
    }

    private void expectBad(String row) {
        assertThat(report().isGood()).isFalse();
        assertThat(report().table()).containsPattern(row + ".*NOT GOOD");
    }

    @Test
    void everythingWithinItsBound_isGood() {
        assertThat(report().isGood()).isTrue();
        assertThat(report().table()).doesNotContain("NOT GOOD");
    }

    @Test
    void wrongDenialsErrorsAndFallback_areNotGood() {
        honest = Map.of(HonestOutcome.ALLOWED, 10_000L, HonestOutcome.DENIED, 1L);
        expectBad("wrong denials");
        honest = Map.of(HonestOutcome.ALLOWED, 10_000L, HonestOutcome.ERROR, 1L);
        expectBad("honest requests: errors");
        honest = Map.of(HonestOutcome.ALLOWED, 10_000L, HonestOutcome.UNSENT, 1L);
        expectBad("honest requests: errors");
        honest = Map.of(HonestOutcome.ALLOWED, 10_000L, HonestOutcome.FALLBACK, 1L);
        expectBad("decided by fallback");
    }

    @Test
    void overload_hasAShare() {
        honest = Map.of(HonestOutcome.ALLOWED, 9_900L, HonestOutcome.OVERLOADED, 100L);
        assertThat(report().isGood()).isTrue();
        honest = Map.of(HonestOutcome.ALLOWED, 9_899L, HonestOutcome.OVERLOADED, 101L);
        expectBad("overloaded");
    }

    @Test
    void fallbackOfANode_isNotGood() {
        service = new ServiceSample(250, 80, 40, 90, 1, 0.4, 3, 0);
        expectBad("service 2: entered fallback");
    }

    @Test
    void deadOrTooLargeOrSlowlyStoppingService_isNotGood() {
        end = new ServiceEnd(false, Duration.ofMillis(20), false, 300, 320, Duration.ofSeconds(9));
        expectBad("service 2: running at the end");
        end = new ServiceEnd(true, Duration.ofMillis(20), true, 300, 320, Duration.ofSeconds(9));
        expectBad("service 2: changed without a token");
        end = new ServiceEnd(true, Duration.ofMillis(20), false, 700, 320, Duration.ofSeconds(9));
        expectBad("service 2: peak resident memory");
        end = new ServiceEnd(true, Duration.ofSeconds(3), false, 300, 320, Duration.ofSeconds(9));
        expectBad("service 2: answer time at the end");
        end = new ServiceEnd(true, Duration.ofMillis(20), false, 300, 320, Duration.ofSeconds(16));
        expectBad("service 2: shutdown after SIGTERM");
    }

    @Test
    void redis_hasABaseAndAnAmountPerRecord() {
        storeMegabytes = 65.9;
        assertThat(report().isGood()).isTrue();
        storeMegabytes = 66.1;
        expectBad("Redis: memory");
    }

    @Test
    void longCommand_isNotGood() {
        longestCommandMillis = 101;
        expectBad("Redis: longest command");
    }

    @Test
    void attackWithAnUnknownAnswer_orWithoutEffect_isNotGood() {
        unexpected = "500 oops";
        expectBad("undocumented answers");
        assertThat(report().table()).contains("first: 500 oops");
        unexpected = null;
        cut = 0;
        expectBad("without any effect");
    }

    @Test
    void svg_namesTheAttacks() {
        assertThat(report().svg())
                .startsWith("<svg ")
                .endsWith("</svg>\n")
                .contains("honest latency", "resident memory", "memory of Redis", "1 ping flood");
    }
}
