package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Limit;
import dev.penstock.algorithm.Rule;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuleIdsIT {
    private static final Rule HUNDRED_A_DAY =
            Limit.tokenBucket(100, Duration.ofDays(1)).rule();
    private static final Pattern SETS = Pattern.compile("cmdstat_set:calls=(\\d+)");

    private final RedisServer redis = RedisServer.start();
    private final RedisConnection connection = RedisConnection.open(
            RedisAddress.of(redis.uri()), new Tls(null, null, null), null, new KeyNames("p1"), new TripEvidence());
    private final KeyNames names = new KeyNames("p1");
    private final ManualClock clock = new ManualClock();
    private final RuleIds marks = new RuleIds(names, connection::commands, clock);

    @AfterAll
    void stop() {
        connection.close();
        redis.close();
    }

    @BeforeEach
    void forgetStatistics() {
        redis.command("CONFIG", "RESETSTAT");
    }

    @Test
    void of_idInUse_isRenewedEveryTenSeconds() {
        markOf("seen-to");
        assertThat(sets()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(11));
        marks.of("seen-to", HUNDRED_A_DAY);
        assertThat(sets()).isEqualTo(2);
    }

    @Test
    void of_firstIdTaken_usesTheNext() {
        int first = markOf("next-first");
        redis.command("SET", names.numbers("next", first), "other numbers");
        assertThat(markOf("next")).isEqualTo(after(first, 1));
        assertThat(redis.command("GET", names.numbers("next", first))).isEqualTo("other numbers");
    }

    @Test
    void of_allIdsTaken_isNoneAndRarelyTriedAgain() {
        int first = markOf("taken-first");
        for (int i = 0; i < 4; i++) {
            redis.command("SET", names.numbers("taken", after(first, i)), "other numbers");
        }
        forgetStatistics();
        marks.of("taken", HUNDRED_A_DAY);
        await().atMost(Duration.ofSeconds(60)).until(() -> sets() == 4);
        connection.commands().ping().toCompletableFuture().join(); // so the last answer has arrived too
        clock.advance(Duration.ofMinutes(1));
        assertThat(marks.of("taken", HUNDRED_A_DAY)).isEqualTo(RuleIds.NONE);
        assertThat(sets()).isEqualTo(4);
        clock.advance(Duration.ofHours(1));
        redis.command("DEL", names.numbers("taken", first));
        assertThat(markOf("taken")).isEqualTo(first);
    }

    private int markOf(String counter) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> marks.of(counter, HUNDRED_A_DAY), mark -> mark != RuleIds.NONE);
    }

    /**
     * Returns the id that is {@code places} after another one. The ids of buckets without a rest wrap around from 4999
     * to 1000.
     */
    private static int after(int mark, int places) {
        return 1_000 + (mark - 1_000 + places) % 4_000;
    }

    /** Returns how many SET commands there were, including one that is in flight on the connection of the rule ids. */
    private long sets() {
        connection.commands().ping().toCompletableFuture().join();
        Matcher calls = SETS.matcher(redis.command("INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
