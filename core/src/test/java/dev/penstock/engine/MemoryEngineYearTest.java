package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.Expected;
import dev.penstock.testkit.GreedyClient;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No rate drifts within a year, however odd its numbers are. */
class MemoryEngineYearTest {
    @ParameterizedTest(name = "{0} per {1} with a burst of {2}: {3}")
    @CsvSource({
        "7, PT1S, 70000, 220822000",
        "3, PT1S, 3000, 94611000",
        "1, PT1S, 4000, 31540000",
        "1000, PT7S, 99991, 4505242848",
        "1000003, PT1M, 100000000, 525701576800",
        "1000000, PT1S, 1000000000, 31537000000000",
        "999983, PT1H, 999983, 8760851063",
        "3, P1D, 2, 1097",
        "3, P1D, 3, 1098",
        "1, P365D, 1, 2",
        "1, P365D, 5, 6",
        "1, P3650D, 5, 5",
        "1000000000, P1D, 1000000000, 366000000000",
        "13, PT0.000017S, 1000000000000, 25115764705882",
    })
    void greedyForAYear_getsExactlyTheRateAndTheBurst(long permits, Duration period, long burst, long expected) {
        Limit limit = Limit.tokenBucket(permits, period, burst);
        ManualClock clock = new ManualClock();
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        GreedyClient client = new GreedyClient(limit, TestSeed.printed("a greedy year")) {
            @Override
            protected Expected.OfCharge ask(Ask ask, long now) {
                clock.setMicros(now);
                LimitStatus status = engine.decide(ask).limits().get(0);
                Expected.Wait wait = status.retry() instanceof Retry.NotBefore retry
                        ? new Expected.Wait(
                                Expected.Kind.NOT_BEFORE, retry.after().toNanos() / 1_000)
                        : null;
                return new Expected.OfCharge(status.isExceeded(), status.remaining(), 0, wait);
            }
        };
        assertThat(client.permitsInAYear()).isEqualTo(expected);
    }

    @Test
    void sevenASecondWithABurstOfSeven_gives220752007InAYear() {
        Limit limit = Limit.tokenBucket(7, Duration.ofSeconds(1), 7).maxDebt(1_000_000);
        ManualClock clock = new ManualClock(Instant.parse("2025-01-01T00:00:00Z"));
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        LimitSettings settings = LimitSettings.of("policy", limit);
        Key key = Key.of("year", "client");
        assertThat(engine.decide(Ask.of(Charge.of(settings, key, 7))).isAllowed())
                .isTrue();
        long total = 7;
        for (int day = 0; day < 365; day++) {
            // A day's permits are taken in advance as debt, so that exactly the burst is owed again a day later.
            Ask nothing = Ask.of(Charge.of(settings, key, 0)).hold(Hold.of(Duration.ofSeconds(1)));
            PermitHandle grant = Objects.requireNonNull(((Allowed) engine.decide(nothing)).permitHandle());
            engine.settle(grant.id(), Costs.of("requests", 604_800));
            total += 604_800;
            clock.advance(Duration.ofDays(1));
            LimitStatus status =
                    engine.decide(Ask.of(Charge.of(settings, key, 1))).limits().get(0);
            assertThat(status.isExceeded()).isTrue();
            assertThat(status.resetAfter()).isEqualTo(Duration.ofSeconds(1));
        }
        assertThat(total).isEqualTo(220_752_007);
    }
}
