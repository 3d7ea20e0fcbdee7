package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.Guard;
import dev.penstock.testkit.server.RedisServer;
import org.junit.jupiter.api.Test;

class RedisWarmUpIT {
    @Test
    void warmUp_runsBothScripts_andChargesNothing() {
        try (RedisServer redis = RedisServer.start();
                Guard guard =
                        Guard.builder(RedisEngine.builder(redis.uri()).build()).build()) {
            redis.command("CONFIG", "RESETSTAT");
            guard.warmUp();
            assertThat(redis.command("INFO", "commandstats"))
                    .contains("cmdstat_mget", "cmdstat_zcard", "cmdstat_evalsha");
            assertThat(redis.command("KEYS", "*nobody*")).isEmpty();
        }
    }
}
