package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Calendar windows, of which the node sends as many as the store needs. */
class RedisCalendarIT {
    private static Charge charge(CalendarPeriod period, String zone, String who) {
        Limit limit = Limit.calendarWindow(1_000, period, ZoneId.of(zone));
        return Charge.of(LimitSettings.of("calendar", limit), Key.of("calendar", who), 1);
    }

    private static Decision decide(RedisEngine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }

    @Test
    void holdsThatExpiredInDifferentYears_areAllLookedUp() {
        ManualClock clock = new ManualClock();
        Hold hold = Hold.of(Duration.ofDays(3)).onExpiry(Hold.Expiry.GIVE_BACK);
        Charge[] charges = {
            charge(CalendarPeriod.DAY, "Asia/Tokyo", "newest"),
            charge(CalendarPeriod.WEEK, "America/Sao_Paulo", "older"),
            charge(CalendarPeriod.MONTH, "Europe/Berlin", "oldest")
        };
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine =
                        RedisEngine.builder(redis.uri()).countBy(clock).build()) {
            for (int i = charges.length - 1; i >= 0; i--) {
                assertThat(decide(engine, Ask.of(charges[i]).hold(hold)).isAllowed())
                        .isTrue();
                clock.advance(Duration.ofDays(3_000));
            }
            assertThat(decide(engine, Ask.of(charges).peek()).limits())
                    .extracting(LimitStatus::remaining)
                    .containsOnly(1_000L);
        }
    }
}
