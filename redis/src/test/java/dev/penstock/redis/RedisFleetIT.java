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
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Nodes that learn from one another through a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisFleetIT {
    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    private RedisEngine node() {
        return RedisEngine.builder(redis.uri()).build();
    }

    private static final RedisFleet.Heartbeat FAST =
            new RedisFleet.Heartbeat(Duration.ofMillis(20), Duration.ofSeconds(2));

    private static RedisEngine node(int port, String prefix) {
        RedisEngine node = RedisEngine.builder("redis://127.0.0.1:" + port)
                .prefix(prefix)
                .pulse(FAST)
                .build();
        node.fleet();
        return node;
    }

    private static void awaitNodes(int expected, RedisEngine... nodes) {
        for (RedisEngine node : nodes) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> node.fleet().nodes() == expected);
        }
    }

    private static Duration mark(RedisEngine node, Duration life) {
        return node.fleet().agreeOnReturn(life).toCompletableFuture().join();
    }

    @Test
    void markReturn_isTheFirstNodesUntilItExpires() {
        try (RedisEngine first = node();
                RedisEngine second = node()) {
            Duration life = Duration.ofSeconds(2);
            Duration mine = mark(first, life);
            assertThat(mine).isLessThan(life);
            Duration theirs = Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> mark(second, life), age -> age.compareTo(mine.plusMillis(100)) > 0);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> mark(second, life).compareTo(theirs) < 0);
        }
    }

    @Test
    void nodes_comeAndGoAndDie_areCounted() {
        try (FaultProxy way = FaultProxy.to(redis.port());
                RedisEngine stays = node(redis.port(), "count");
                RedisEngine dies = node(way.port(), "count")) {
            try (RedisEngine goes = node(redis.port(), "count")) {
                awaitNodes(3, stays, dies, goes);
            }
            awaitNodes(2, stays, dies);
            way.cut();
            awaitNodes(1, stays);
            assertThat(dies.fleet().nodes()).isEqualTo(2);
            way.heal();
            awaitNodes(2, stays, dies);
        }
    }

    @Test
    void announcements_areThoseOfThePresentNodes() {
        try (RedisEngine first = node(redis.port(), "told");
                RedisEngine silent = node(redis.port(), "told")) {
            AtomicInteger asked = new AtomicInteger();
            first.fleet().announce(() -> "first " + Math.min(2, asked.incrementAndGet()));
            try (RedisEngine second = node(redis.port(), "told")) {
                second.fleet().announce(() -> "second");
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> told(silent).equals(List.of("", "first 2", "second")));
                assertThat(first.fleet().announcements().toCompletableFuture().join())
                        .containsEntry(first.fleet().self(), "first 2");
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> told(silent).equals(List.of("", "first 2")));
        }
    }

    private static List<String> told(RedisEngine node) {
        return node.fleet().announcements().toCompletableFuture().join().values().stream()
                .sorted()
                .toList();
    }

    @Test
    void announcementThatFails_isEmpty_andTheNodeIsCounted() {
        try (RedisEngine node = node(redis.port(), "failing")) {
            node.fleet().announce(() -> {
                throw new IllegalStateException("as told");
            });
            awaitNodes(1, node);
            assertThat(told(node)).containsExactly("");
        }
    }

    @Test
    void nodes_ofAnotherPrefix_areNotCounted() {
        try (RedisEngine mine = node(redis.port(), "mine");
                RedisEngine other = node(redis.port(), "other")) {
            awaitNodes(1, mine, other);
        }
    }

    @Test
    void nodes_processWithoutFleet_isNotCounted() {
        try (RedisEngine silent =
                RedisEngine.builder(redis.uri()).prefix("silent").build()) {
            assertThat(silent.inspect(Charge.of(
                            LimitSettings.of("silent", Limit.fixedWindow(1, Duration.ofDays(1))),
                            Key.of("silent", "ann"),
                            1)))
                    .succeedsWithin(Duration.ofSeconds(10));
        }
        assertThat(redis.command("EXISTS", "silent1:{fleet}nodes")).isEqualTo("0");
    }

    @Test
    void nodes_redisIsGone_stayAsLastReported() {
        try (RedisServer mortal = RedisServer.start();
                RedisEngine first = node(mortal.port(), "p");
                RedisEngine second = node(mortal.port(), "p")) {
            awaitNodes(2, first, second);
            mortal.kill();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> mark(first).isCompletedExceptionally());
            assertThat(first.fleet().nodes()).isEqualTo(2);
            mortal.restart();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Integer.parseInt(mortal.command("ZCARD", "p1:{fleet}nodes")) == 2);
            assertThat(first.fleet().nodes()).isEqualTo(2);
        }
    }

    private static CompletableFuture<Duration> mark(RedisEngine node) {
        return node.fleet().agreeOnReturn(Duration.ofSeconds(1)).toCompletableFuture();
    }

    @Test
    void nodes_clockOfRedisWasSetBack_areDroppedUntilTheNextHeartbeat() {
        redis.command("ZADD", "back1:{fleet}nodes", "99999999999999", "from-the-future");
        try (RedisEngine node = node(redis.port(), "back")) {
            awaitNodes(1, node);
        }
    }

    @Test
    void reset_onOneNode_isReportedToTheOthersOnce() {
        Ask ask = Ask.of(
                Charge.of(LimitSettings.of("p", Limit.fixedWindow(1, Duration.ofDays(1))), Key.of("reset", "ann"), 1));
        try (RedisEngine resets = node(redis.port(), "reset");
                RedisEngine hears = node(redis.port(), "reset")) {
            AtomicInteger heard = new AtomicInteger();
            hears.fleet().onReset(which -> heard.incrementAndGet());
            try (DenyCache cache = DenyCache.around(hears)) {
                decide(cache, ask);
                decide(cache, ask);
                assertThat(decide(cache, ask).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
                assertThat(resets.reset(ask).whenReady()).succeedsWithin(Duration.ofSeconds(10));
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> decide(cache, ask.peek()).isAllowed());
                awaitNodes(2, resets, hears);
                assertThat(heard).hasValue(1);
            }
        }
        assertThat(Integer.parseInt(redis.command("PTTL", "reset1:{fleet}resets")))
                .isPositive();
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
