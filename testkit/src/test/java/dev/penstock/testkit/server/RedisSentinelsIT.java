package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisSentinelsIT {
    @Test
    void waitForFailover_primaryKilled_findsThePromotedReplica() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            RedisServer first = sentinels.primary();
            RedisServer second = sentinels.replica();
            assertThat(sentinels.uri())
                    .matches("redis-sentinel://(127\\.0\\.0\\.1:\\d+,){2}127\\.0\\.0\\.1:\\d+/0#mymaster");
            assertThat(first.command("SET", "key", "value")).isEqualTo("OK");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(second.command("GET", "key")).isEqualTo("value"));

            first.kill();
            assertThat(sentinels.waitForFailover()).isSameAs(second);

            assertThat(sentinels.primary()).isSameAs(second);
            assertThat(sentinels.replica()).isSameAs(first);
            assertThat(second.command("GET", "key")).isEqualTo("value");
            assertThat(second.command("SET", "key", "other")).isEqualTo("OK");

            first.restart();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(first.command("GET", "key")).isEqualTo("other"));
            assertThat(first.command("ROLE")).startsWith("slave\n");
        }
    }

    @Test
    void close_endsEveryProcess() {
        RedisSentinels sentinels = RedisSentinels.start();

        sentinels.close();

        assertThat(sentinels.sentinels()).noneMatch(RedisServer::isAlive);
        assertThat(sentinels.primary().isAlive()).isFalse();
        assertThat(sentinels.replica().isAlive()).isFalse();
    }
}
