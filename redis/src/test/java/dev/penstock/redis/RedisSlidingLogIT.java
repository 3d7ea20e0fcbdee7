package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Retry;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sliding log with many entries. No decision may read all of them, because Redis blocks meanwhile. */
class RedisSlidingLogIT {
    private static final int ENTRIES = 4_000;
    private static final int MOST_COMMANDS = 60;
    private static final Duration APART = Duration.ofMillis(100);
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final LimitSettings TERMS = LimitSettings.of("log", Limit.slidingLog(ENTRIES, WINDOW));

    private final ManualClock clock = new ManualClock();
    private final RedisServer redis = RedisServer.start();
    private final RedisEngine engine =
            RedisEngine.builder(redis.uri()).countBy(clock).build();
    private Instant first;

    @BeforeEach
    void fill() {
        clock.advance(APART);
        first = clock.now();
        assertThat(engine.decide(ask(1))
                        .whenReady()
                        .toCompletableFuture()
                        .join()
                        .isAllowed())
                .isTrue();
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        for (int i = 1; i < ENTRIES; i++) {
            clock.advance(APART);
            underway.add(engine.decide(ask(1).orTimeout(Duration.ofMinutes(1)))
                    .whenReady()
                    .toCompletableFuture());
            if (i % UnbatchedAsks.MOST_UNDER_WAY == 0) { // if it waited, it would be sent and counted later
                underway.forEach(CompletableFuture::join);
            }
        }
        assertThat(underway).allMatch(each -> each.join().isAllowed());
        assertThat(entries()).isEqualTo(ENTRIES);
    }

    @AfterEach
    void stop() {
        engine.close();
        redis.close();
    }

    @Test
    void full_deniesWithoutReadingAll() {
        assertThat(retry(1)).isEqualTo(first.plus(WINDOW));
        assertThat(retry(ENTRIES / 2))
                .isEqualTo(first.plus(APART.multipliedBy(ENTRIES / 2 - 1)).plus(WINDOW));
        assertThat(retry(ENTRIES))
                .isEqualTo(first.plus(APART.multipliedBy(ENTRIES - 1)).plus(WINDOW));
    }

    @Test
    void halfLapsed_deniesAndEvictsWithoutReadingAll() {
        clock.set(first.plus(APART.multipliedBy(ENTRIES / 2 - 1)).plus(WINDOW));
        assertThat(retry(ENTRIES / 2 + 1))
                .isEqualTo(first.plus(APART.multipliedBy(ENTRIES / 2)).plus(WINDOW));
        assertThat(entries()).as("a denial writes nothing").isEqualTo(ENTRIES);
        assertThat(decide(ENTRIES / 2).isAllowed()).isTrue();
        assertThat(entries()).isEqualTo(ENTRIES / 2 + 1);
        assertThat(decide(1).isAllowed()).isFalse();
    }

    @Test
    void allLapsed_isEvictedAtOnce() {
        clock.advance(WINDOW);
        assertThat(decide(ENTRIES).isAllowed()).isTrue();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void clockSetBack_isRepairedWithoutReadingAllEntries() {
        clock.set(first.plus(APART.multipliedBy(ENTRIES / 4)));
        assertThat(retry(1)).isEqualTo(first.plus(WINDOW));
        assertThat(entries()).as("entries in the future are merged").isEqualTo(ENTRIES / 4 + 1);
        assertThat(retry(ENTRIES)).isEqualTo(clock.now().plus(WINDOW));
        clock.advance(WINDOW);
        assertThat(decide(ENTRIES).isAllowed()).isTrue();
    }

    @Test
    void clockSetBackBeforeAllEntries_mergesThem() {
        clock.set(first.minus(WINDOW));
        assertThat(retry(1)).isEqualTo(first);
        assertThat(entries()).isEqualTo(1);
        assertThat(retry(ENTRIES)).isEqualTo(first);
    }

    private int entries() {
        return Integer.parseInt(redis.command("LLEN", new KeyNames("p1").state(ask(1).charge(0)) + ":entries"));
    }

    /** Returns when a denied cost fits. */
    private Instant retry(long cost) {
        Retry retry = ((Denied) decide(cost)).retry();
        assertThat(retry).isInstanceOf(Retry.NotBefore.class);
        return ((Retry.NotBefore) retry).time();
    }

    /** Makes a decision, and checks that it takes few Redis commands, whatever the number of entries. */
    private Decision decide(long cost) {
        redis.command("CONFIG", "RESETSTAT");
        Decision decision =
                engine.decide(ask(cost)).whenReady().toCompletableFuture().join();
        long commands = redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
        assertThat(commands).as("commands").isLessThan(MOST_COMMANDS);
        return decision;
    }

    private static Ask ask(long cost) {
        return Ask.of(Charge.of(TERMS, Key.of("log", "ann"), cost));
    }
}
