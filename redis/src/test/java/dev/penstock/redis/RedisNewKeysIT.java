package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.engine.NewKeyBudget;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller who invents keys cannot fill a real Redis, and cannot lock out users whose keys exist. */
class RedisNewKeysIT {
    private static final int BUDGET = 100;
    private static final int USERS = 20;
    private static final int IN_FLIGHT = 32;
    private static final Limit MONTHLY = Limit.calendarWindow(1_000_000, CalendarPeriod.MONTH, ZoneOffset.UTC);

    /** Does not move, so that the whole test happens within one second. */
    private final ManualClock clock = new ManualClock();

    private final RedisServer redis = RedisServer.start();
    private final NewKeyBudget node = node();
    private final NewKeyBudget other = node();

    private NewKeyBudget node() {
        return NewKeyBudget.builder(RedisEngine.builder(redis.uri()).build())
                .clock(clock)
                .perSecond(BUDGET)
                .build();
    }

    @AfterEach
    void stop() {
        node.close();
        other.close();
        redis.close();
    }

    private static Charge monthly(String user) {
        return Charge.of(LimitSettings.of("monthly", MONTHLY), Key.of("monthly", user), 1);
    }

    private static Decision decide(NewKeyBudget by, Ask ask) {
        return by.decide(ask).whenReady().toCompletableFuture().join();
    }

    private long keys() {
        return Long.parseLong(redis.command("DBSIZE"));
    }

    @Test
    void inventedKeys_areBounded_andKnownUsersAreNeverDenied() {
        for (int i = 0; i < USERS; i++) {
            assertThat(decide(other, Ask.of(monthly("user" + i))).isAllowed()).isTrue();
        }
        long before = keys();
        List<CompletableFuture<Decision>> attack = new ArrayList<>();
        int denied = 0;
        for (int i = 0; i < 50 * BUDGET; i++) {
            attack.add(node.decide(Ask.of(monthly("invented" + i))).whenReady().toCompletableFuture());
            if (attack.size() == IN_FLIGHT) {
                denied += denied(attack);
                attack.clear();
                assertThat(decide(node, Ask.of(monthly("user" + i % USERS))).isAllowed())
                        .isTrue();
            }
        }

        assertThat(denied).isGreaterThan(40 * BUDGET);
        assertThat(keys() - before).isBetween((long) BUDGET, (long) BUDGET + IN_FLIGHT);
        clock.advance(Duration.ofSeconds(1));
        assertThat(decide(node, Ask.of(monthly("a new one"))).isAllowed()).isTrue();
    }

    private static int denied(List<CompletableFuture<Decision>> answers) {
        int denied = 0;
        for (CompletableFuture<Decision> answer : answers) {
            if (answer.join() instanceof Denied refused) {
                assertThat(refused.reason()).isEqualTo(Denied.Reason.TOO_MANY_NEW_KEYS);
                denied++;
            }
        }
        return denied;
    }

    @Test
    void longPermits_areBounded() {
        Charge rate = Charge.of(
                LimitSettings.of("rate", Limit.tokenBucket(1_000_000, Duration.ofSeconds(1))),
                Key.of("rate", "one"),
                1);
        Ask hold = Ask.of(rate).hold(Hold.of(Duration.ofHours(1)));
        long before = keys();
        for (int i = 0; i < 5 * BUDGET; i++) {
            assertThat(decide(node, hold).isAllowed()).isEqualTo(i < BUDGET);
        }

        assertThat(keys() - before).as("and the account, with its holds").isLessThanOrEqualTo(BUDGET + 3L);
    }
}
