package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What nodes learn of one another, on a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisFleetTest {
    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    private RedisEngine node() {
        return RedisEngine.at(redis.uri()).build();
    }

    private static Duration mark(RedisEngine node, Duration life) {
        return node.fleet().markReturn(life).toCompletableFuture().join();
    }

    @Test
    void markReturn_isTheFirstNodesUntilItIsForgotten() {
        try (RedisEngine first = node();
                RedisEngine second = node()) {
            Duration life = Duration.ofSeconds(2);
            Duration mine = mark(first, life);
            assertThat(mine).isLessThan(life);
            Awaitility.await().until(() -> mark(second, life).compareTo(mine.plusMillis(100)) > 0);
            Duration theirs = mark(second, life);
            Awaitility.await().until(() -> mark(second, life).compareTo(theirs) < 0);
        }
    }
}
