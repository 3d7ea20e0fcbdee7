package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisSentinels;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RedisSentinelIT {
    private final Ask ask =
            Ask.of(Charge.of(LimitSettings.of("p", Limit.tokenBucket(10, Duration.ofDays(1))), Key.of("p", "k"), 1));

    @Test
    void decide_afterFailover_continuesAtTheNewPrimary() {
        try (RedisSentinels sentinels = RedisSentinels.start();
                RedisEngine engine = RedisEngine.builder(sentinels.uri()).build()) {
            assertThat(Asking.isAllowed(engine, ask)).isTrue();
            sentinels.primary().kill();
            sentinels.waitForFailover();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Asking.isAllowed(engine, ask));
        }
    }
}
