package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both scripts write the same states: {@code batch.lua} reads states that {@code decide.lua} wrote as its own, and they
 * live as long.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisShortWayIT {
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    /** The reply of Redis for a missing key. */
    private static final long GONE = -2;

    private final RedisServer redis = RedisServer.start();
    private final RedisEngine engine = RedisEngine.builder(redis.uri()).build();

    @AfterAll
    void stop() {
        engine.close();
        redis.close();
    }

    /** Returns the time by the clock of Redis. */
    private long millis() {
        return Long.parseLong(redis.command("TIME").lines().findFirst().orElseThrow()) * 1_000 + 999;
    }

    static Stream<Limit> simpleLimits() {
        return Stream.of(
                Limit.tokenBucket(10, Duration.ofSeconds(1)),
                Limit.tokenBucket(1_000, Duration.ofDays(1)),
                Limit.tokenBucket(1_000_003, Duration.ofMinutes(1), 70_000),
                Limit.tokenBucket(7, Duration.ofSeconds(1), 300).maxDebt(0),
                Limit.fixedWindow(100, Duration.ofDays(1)),
                Limit.slidingWindow(1_000, Duration.ofHours(1)));
    }

    @ParameterizedTest
    @MethodSource("simpleLimits")
    void stateOfDecideScript_isReadByBatchScript(Limit limit) {
        Charge charge = charge(limit);
        decide(Ask.of(charge).id(UUID.randomUUID().toString()));
        long before = scripts();
        for (int i = 0; i < 3; i++) {
            decide(Ask.of(charge));
        }
        assertThat(scripts() - before).as("scripts for three decisions").isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("simpleLimits")
    void key_writtenByEitherScript_expiresSoonAfterItsState(Limit limit) {
        Charge charge = charge(limit);
        for (int i = 0; i < 6; i++) {
            Decision decision = decide(
                    i % 2 == 0
                            ? Ask.of(charge)
                            : Ask.of(charge).id(UUID.randomUUID().toString()));
            long goes = Long.parseLong(redis.command("PEXPIRETIME", state(charge)));
            long matters = decision.madeAt()
                    .plus(decision.limits().get(0).resetAfter())
                    .toEpochMilli();
            if (goes == GONE) { // on a machine that stalled meanwhile
                assertThat(millis()).as("decision %d", i).isGreaterThanOrEqualTo(matters);
            } else {
                assertThat(goes).as("decision %d", i).isBetween(matters, matters + 2_000 + stepMillis(limit));
            }
        }
    }

    /**
     * Returns the step by which the expiry of a bucket's key moves: four seconds, or a 32nd of the time in which it
     * fills.
     */
    private static long stepMillis(Limit limit) {
        return limit.algorithm() instanceof TokenBucket bucket
                ? Math.max(4_000, bucket.period().toMillis() * bucket.burst() / bucket.permits() / 32)
                : 0;
    }

    @Test
    void bucket_isStoredAsANumber_onceItsRuleIdIsKnown() {
        Charge charge = charge(Limit.tokenBucket(1_000, Duration.ofHours(1)));
        useInShort(charge);
        assertThat(redis.command("OBJECT", "ENCODING", state(charge))).isEqualTo("int");
        long used = 1_000 - remaining(charge);
        decide(Ask.of(charge));
        assertThat(remaining(charge)).isEqualTo(1_000 - used - 1);
    }

    @Test
    void bucketInShortForm_underOtherNumbers_isConverted() {
        Charge charge = charge(Limit.tokenBucket(100, Duration.ofDays(1)));
        int used = useInShort(charge);
        Charge raised = again(charge, Limit.tokenBucket(3_000, Duration.ofDays(7), 1_000));
        Charge withRest = again(charge, Limit.tokenBucket(7, Duration.ofDays(2), 200));
        assertThat(remaining(raised)).isEqualTo(1_000 - used);
        int more = useInShort(raised);
        assertThat(remaining(withRest)).isEqualTo(200 - used - more);
        int evenMore = useInShort(withRest);
        assertThat(remaining(charge)).isEqualTo(100 - used - more - evenMore);
    }

    @Test
    void bucketInShortForm_ofUnknownNumbers_countsAsUsedUpOnce() {
        Charge charge = Charge.of(
                LimitSettings.of("short", Limit.tokenBucket(100, Duration.ofDays(1))), Key.of("lost", "ann"), 1);
        useInShort(charge);
        redis.command("KEYS", "p1:numbers:lost:*").lines().forEach(key -> redis.command("DEL", key));
        Ask raised = Ask.of(again(charge, Limit.tokenBucket(1_000_000, Duration.ofMinutes(1))))
                .peek();
        try (RedisEngine other = RedisEngine.builder(redis.uri()).build()) {
            assertThat(decide(other, raised).limits().get(0).remaining()).isZero();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    decide(other, raised).limits().get(0).remaining())
                            .isPositive());
        }
    }

    @Test
    void ruleIds_lostWithAllData_areStoredAgainWithinTenSeconds() {
        ManualClock clock = new ManualClock();
        clock.set(Instant.parse("2026-01-01T00:00:00Z"));
        Charge charge = Charge.of(
                LimitSettings.of("short", Limit.tokenBucket(100, Duration.ofDays(1))), Key.of("emptied", "ann"), 1);
        try (RedisEngine counting =
                RedisEngine.builder(redis.uri()).countBy(clock).build()) {
            decide(counting, Ask.of(charge));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !redis.command("KEYS", "p1:numbers:emptied:*").isEmpty());
            redis.command("KEYS", "p1:*emptied*").lines().forEach(key -> redis.command("DEL", key));
            clock.advance(Duration.ofSeconds(11));
            decide(counting, Ask.of(charge));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !redis.command("KEYS", "p1:numbers:emptied:*").isEmpty());
        }
    }

    @Test
    void bucketThatTakesLongerToFillThanSince1970_hasATimeToLive() {
        Charge charge =
                charge(Limit.tokenBucket(1, Duration.ofDays(365), 10_000).maxDebt(0));
        decide(Ask.of(charge));
        assertThat(Long.parseLong(redis.command("PTTL", state(charge)))).isPositive();
    }

    /** Charges one by one until the state has the short form, and returns the number of charges. */
    private int useInShort(Charge charge) {
        int used = 0;
        String encoding = "";
        while (!encoding.equals("int")) {
            assertThat(decide(Ask.of(charge)).isAllowed()).isTrue();
            used++;
            encoding = redis.command("OBJECT", "ENCODING", state(charge));
        }
        return used;
    }

    private long remaining(Charge charge) {
        return decide(Ask.of(charge).peek()).limits().get(0).remaining();
    }

    private static Charge again(Charge charge, Limit limit) {
        return Charge.of(LimitSettings.of("short", limit), charge.key(), 1);
    }

    private static String state(Charge charge) {
        return new KeyNames("p1").state(charge);
    }

    private static Charge charge(Limit limit) {
        return Charge.of(
                LimitSettings.of("short", limit),
                Key.of("short", UUID.randomUUID().toString()),
                1);
    }

    private Decision decide(Ask ask) {
        return decide(engine, ask);
    }

    private static Decision decide(RedisEngine by, Ask ask) {
        return by.decide(ask).whenReady().toCompletableFuture().join();
    }

    private long scripts() {
        Matcher calls = SCRIPTS.matcher(redis.command("INFO", "commandstats"));
        assertThat(calls.find()).isTrue();
        return Long.parseLong(calls.group(1));
    }
}
