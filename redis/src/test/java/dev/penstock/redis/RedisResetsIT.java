package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.engine.DenyCache;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Resets;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How nodes that share a real Redis learn of one another's resets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisResetsIT {
    private static final RedisFleet.Heartbeat FAST =
            new RedisFleet.Heartbeat(Duration.ofMillis(20), Duration.ofSeconds(5));
    private static final RedisFleet.Heartbeat NEVER =
            new RedisFleet.Heartbeat(Duration.ofHours(1), Duration.ofHours(2));
    private static final Limit DAILY = Limit.fixedWindow(1, Duration.ofDays(300));

    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    private RedisEngine node(String prefix, RedisFleet.Heartbeat pulse) {
        RedisEngine node =
                RedisEngine.builder(redis.uri()).prefix(prefix).pulse(pulse).build();
        node.fleet();
        return node;
    }

    private static Ask ask(String who) {
        return Ask.of(Charge.of(LimitSettings.of("policy", DAILY), Key.of("counter", who), 1));
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask.orTimeout(Duration.ofMinutes(1)))
                .whenReady()
                .toCompletableFuture()
                .join();
    }

    private static void reset(RedisEngine engine, Ask ask) {
        assertThat(engine.reset(ask).whenReady()).succeedsWithin(Duration.ofSeconds(10));
    }

    private String list(String prefix) {
        return redis.command("GET", prefix + "1:{fleet}resets");
    }

    private static void awaitThat(Runnable assertion) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion::run);
    }

    @Test
    void reset_ofOneKey_keepsTheDenialsOfOthers() {
        try (RedisEngine resets = node("one", NEVER);
                RedisEngine hears = node("one", FAST);
                DenyCache cache = DenyCache.around(hears)) {
            List<Resets> heard = new CopyOnWriteArrayList<>();
            hears.fleet().onReset(heard::add);
            decide(cache, ask("ann"));
            decide(cache, ask("ann"));
            reset(resets, ask("ann"));
            awaitThat(() -> assertThat(heard).containsExactly(Resets.of(ask("ann"))));
            decide(cache, ask("bob"));
            decide(cache, ask("bob"));

            reset(resets, ask("ann"));
            awaitThat(() -> assertThat(heard).hasSize(2));

            assertThat(decide(cache, ask("ann")).decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(cache.stats().passedOn()).isEqualTo(5);
            assertThat(heard).containsOnly(Resets.of(ask("ann")));
            assertThat(decide(cache, ask("bob")).isAllowed()).isFalse();
        }
    }

    @Test
    void reset_ofManyKeys_keepsTheListShort() {
        try (RedisEngine resets = node("many", NEVER);
                RedisEngine hears = node("many", FAST)) {
            List<Resets> heard = new CopyOnWriteArrayList<>();
            hears.fleet().onReset(heard::add);
            Charge[] charges = new Charge[Ask.MOST_CHARGES];
            for (int i = 0; i < charges.length; i++) {
                charges[i] = ask("user " + i).charge(0);
            }
            for (int i = 0; i < 200; i++) {
                reset(resets, i % 2 == 0 ? ask("user " + i) : Ask.of(charges));
                assertThat(list("many").length()).isLessThan(4_200);
            }
            awaitThat(() -> assertThat(list("many")).contains(" 200 "));
            awaitThat(() -> assertThat(heard).isNotEmpty());
        }
    }

    @Test
    void resetCounters_isReportedAsAResetOfAll() {
        try (RedisEngine resets = node("counters", NEVER);
                RedisEngine hears = node("counters", FAST)) {
            List<Resets> heard = new CopyOnWriteArrayList<>();
            hears.fleet().onReset(heard::add);
            assertThat(resets.resetCounters(Set.of("counter")).whenReady()).succeedsWithin(Duration.ofSeconds(10));
            awaitThat(() -> assertThat(heard).containsExactly(Resets.ALL));
        }
    }

    @Test
    void reset_byANodeOfAnEarlierVersion_isReportedAsAResetOfAll() {
        try (RedisEngine resets = node("earlier", NEVER);
                RedisEngine hears = node("earlier", FAST)) {
            List<Resets> heard = new CopyOnWriteArrayList<>();
            hears.fleet().onReset(heard::add);
            redis.command("SET", "earlier1:{fleet}resets", "0123456789abcdef", "PX", "30000");
            awaitThat(() -> assertThat(heard).containsExactly(Resets.ALL));

            reset(resets, ask("ann"));
            awaitThat(() -> assertThat(heard).containsExactly(Resets.ALL, Resets.ALL));
            assertThat(list("earlier")).startsWith("r1 ").endsWith(" 1 *");

            reset(resets, ask("ann"));
            awaitThat(() -> assertThat(heard).containsExactly(Resets.ALL, Resets.ALL, Resets.of(ask("ann"))));
        }
    }

    /** Nodes of an earlier version only check whether the text has changed. */
    @Test
    void reset_ofTheSameKeyAgain_changesTheText() {
        try (RedisEngine resets = node("text", NEVER)) {
            Set<String> texts = new HashSet<>();
            for (int i = 1; i <= 100; i++) {
                int number = i;
                reset(resets, ask("ann"));
                awaitThat(() -> assertThat(list("text")).contains(" " + number + " "));
                assertThat(texts.add(list("text"))).isTrue();
            }
            assertThat(Long.parseLong(redis.command("PTTL", "text1:{fleet}resets")))
                    .isPositive();
            assertThat(list("text").split(" ", -1)).hasSizeLessThanOrEqualTo(3 + 64);
        }
    }
}
