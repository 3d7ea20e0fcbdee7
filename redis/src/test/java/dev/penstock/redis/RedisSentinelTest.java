package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.testkit.server.RedisSentinels;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RedisSentinelTest {
    private final Ask ask =
            Ask.of(Charge.of(Terms.of("p", Limit.tokenBucket(10, Duration.ofDays(1))), Key.of("p", "k"), 1));

    @Test
    void decide_afterFailover_goesOnAtTheNewPrimary() {
        try (RedisSentinels sentinels = RedisSentinels.start();
                RedisEngine engine = RedisEngine.at(sentinels.uri()).build()) {
            assertThat(Asking.isAllowed(engine, ask)).isTrue();
            sentinels.primary().kill();
            sentinels.waitForFailover();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Asking.isAllowed(engine, ask));
        }
    }
}
