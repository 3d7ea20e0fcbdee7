package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.LogLines;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EvictionPolicyTest {
    private static ServerInfo with(String policy) {
        return ServerInfo.of("maxmemory_policy:" + policy + "\n");
    }

    @Test
    void unsafeThenFixedThenUnsafe_isWarnedAboutTwice() {
        EvictionPolicy eviction = new EvictionPolicy();
        try (LogLines log = LogLines.of(RedisEngine.class)) {
            for (String policy : new String[] {"allkeys-lru", "allkeys-lru", "noeviction", "allkeys-lru"}) {
                eviction.warnIfUnsafe(Map.of("one:6379", with(policy)));
            }

            assertThat(log.with("redis at one:6379: maxmemory-policy allkeys-lru"))
                    .hasSize(2);
        }
    }

    @Test
    void serverThatDoesNotReport_staysKnown() {
        EvictionPolicy eviction = new EvictionPolicy();
        try (LogLines log = LogLines.of(RedisEngine.class)) {
            Map<String, ServerInfo> both =
                    new TreeMap<>(Map.of("one:1", with("allkeys-lru"), "two:2", with("allkeys-lru")));
            eviction.warnIfUnsafe(both);
            eviction.warnIfUnsafe(Map.of("one:1", with("allkeys-lru"), "two:2", ServerInfo.UNKNOWN));
            eviction.warnIfUnsafe(Map.of("two:2", with("allkeys-lru")));
            eviction.warnIfUnsafe(both);

            assertThat(log.with("maxmemory-policy")).singleElement().asString().contains("redis at one:1, two:2");
        }
    }
}
