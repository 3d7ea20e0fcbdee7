package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.engine.DenyCache;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A denied key costs Redis no script per request, no matter how many fresh ids its caller invents. */
class RedisDeniedIdCacheIT {
    private static final int REQUESTS = 50;
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");
    private static final RedisFleet.Heartbeat NEVER =
            new RedisFleet.Heartbeat(Duration.ofHours(1), Duration.ofHours(2));
    private static final Limit ONCE = Limit.fixedWindow(2, Duration.ofDays(300));
    private static final Charge ANN = Charge.of(LimitSettings.of("denied", ONCE), Key.of("denied", "ann"), 2);
    private static final Charge BOB = Charge.of(LimitSettings.of("denied", ONCE), Key.of("denied", "bob"), 2);

    @Test
    void alone_freshIdsOfADeniedKey_runNoScript() {
        try (RedisServer redis = RedisServer.start();
                DenyCache cache = DenyCache.around(
                        RedisEngine.builder(redis.uri()).pulse(NEVER).build())) {
            assertNoScripts(cache, List.of(redis));
        }
    }

    @Test
    void inACluster_freshIdsOfADeniedKey_runNoScript() {
        try (RedisCluster cluster = RedisCluster.start();
                DenyCache cache = DenyCache.around(RedisEngine.builder("redis-cluster://127.0.0.1:"
                                + cluster.nodes().get(0).port())
                        .pulse(NEVER)
                        .build())) {
            assertNoScripts(cache, cluster.nodes());
            assertThat(decide(cache, Ask.of(ANN, BOB).id("spans")).isAllowed()).isFalse();
        }
    }

    private static void assertNoScripts(DenyCache cache, List<RedisServer> servers) {
        Ask mine = Ask.of(ANN).id(new IdempotencyKey("mine", "body"));
        assertThat(decide(cache, mine).isAllowed()).isTrue();
        Denied denied = (Denied) decide(cache, Ask.of(ANN));
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.STORE);
        long before = scripts(servers);
        int fromCache = 0;
        for (int i = 0; i < REQUESTS; i++) {
            Ask fresh = i % 2 == 0
                    ? Ask.of(ANN).id("request " + i)
                    : Ask.of(ANN).id(new IdempotencyKey("request " + i, "body"));
            Decision decision = decide(cache, fresh);
            assertThat(decision.isAllowed()).isFalse();
            fromCache += decision.decidedBy() == DecidedBy.DENY_CACHE ? 1 : 0;
        }
        // On a machine that stalls for seconds, the cached denial may expire. Each ask that bypasses the cache then
        // costs a few scripts.
        assertThat(fromCache).isPositive();
        assertThat(scripts(servers) - before).isLessThanOrEqualTo(4L * (REQUESTS - fromCache));

        assertThat(decide(cache, mine).isAllowed()).as("remembered").isTrue();
        assertThat(((Denied) decide(cache, Ask.of(ANN).id(new IdempotencyKey("mine", "another body")))).reason())
                .isEqualTo(Denied.Reason.ID_TAKEN);
    }

    private static long scripts(List<RedisServer> servers) {
        long all = 0;
        for (RedisServer server : servers) {
            Matcher calls = SCRIPTS.matcher(server.command("INFO", "commandstats"));
            while (calls.find()) {
                all += Long.parseLong(calls.group(1));
            }
        }
        return all;
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask.orTimeout(Duration.ofMinutes(1)))
                .whenReady()
                .toCompletableFuture()
                .join();
    }
}
