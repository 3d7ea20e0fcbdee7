package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.SharedNotes;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The rights in docs/redis.md, taken literally, are enough: Redis rejects nothing that the engine sends. */
class RedisRightsIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "redis.md");
    private static final String GRANT = "ACL SETUSER limiter ";
    private static final String FENCE = "```";
    private static final String USER = "limiter:secret@";

    private final Charge log = charge(Limit.slidingLog(10, Duration.ofMinutes(1)), "ann");
    private final Charge slots = charge(Limit.concurrency(5, Duration.ofMinutes(1)), "ann");
    private final Charge bucket = charge(Limit.tokenBucket(5, Duration.ofMinutes(1)), "ann");
    private final Charge elsewhere = charge(Limit.tokenBucket(5, Duration.ofMinutes(1)), "bob");

    @Test
    void minimalRights_areEnough() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            redis.command(documented().get(0));
            useEverything("redis://" + USER + "127.0.0.1:" + redis.port());
            assertThat(refused(redis)).containsOnly("scan");
        }
    }

    @Test
    void minimalRights_inACluster_areEnough() throws IOException {
        try (RedisCluster cluster = RedisCluster.start()) {
            for (RedisServer node : cluster.nodes()) {
                for (String[] grant : documented()) {
                    node.command(grant);
                }
            }
            useEverything("redis-cluster://" + USER + "127.0.0.1:"
                    + cluster.nodes().get(0).port());
            for (RedisServer node : cluster.nodes()) {
                assertThat(refused(node)).isSubsetOf("scan");
            }
        }
    }

    private void useEverything(String uri) {
        try (RedisEngine engine = RedisEngine.builder(uri).build()) {
            decideAndSettle(engine);
            SharedNotes board = Objects.requireNonNull(engine.fleet().notes("rights"));
            board.post(new SharedNotes.Note("a", "", Duration.ofMinutes(1)))
                    .toCompletableFuture()
                    .join();
            board.remove("a").toCompletableFuture().join();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> engine.fleet().nodes() == 1);
            assertThat(engine.resetCounters(Set.of("rights")).whenReady().toCompletableFuture())
                    .as("needs +scan, which is listed separately")
                    .failsWithin(Duration.ofSeconds(10));
            engine.fleet().announce(() -> "as told");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> engine.fleet()
                            .announcements()
                            .toCompletableFuture()
                            .join()
                            .containsValue("as told"));
            assertThat(engine.fleet().agreeOnReturn(Duration.ofSeconds(1))).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    private void decideAndSettle(RedisEngine engine) {
        Hold hold = Hold.of(Duration.ofMinutes(1));
        for (Ask ask : new Ask[] {
            Ask.of(log, slots, bucket).hold(hold).id(new IdempotencyKey("request", "mine")),
            Ask.of(bucket, elsewhere).hold(hold)
        }) {
            String permit = Objects.requireNonNull(((Allowed) decide(engine, ask)).permitHandle())
                    .id();
            assertThat(engine.settle(permit, Costs.of("requests", 1))
                            .whenReady()
                            .toCompletableFuture()
                            .join()
                            .status())
                    .isEqualTo(Settlement.Status.SETTLED);
        }
        assertThat(decide(engine, Ask.of(bucket)).isAllowed()).isTrue();
        assertThat(decide(engine, Ask.of(bucket, elsewhere)).isAllowed()).isTrue();
        assertThat(engine.reset(Ask.of(log, slots, bucket)).whenReady().toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(10));
        assertThat(engine.inspect(bucket).toCompletableFuture().join().permits())
                .isZero();
    }

    /**
     * Returns the commands in the section on rights: those for every Redis, and those that a Cluster needs in addition.
     */
    private static List<String[]> documented() throws IOException {
        List<String[]> grants = new ArrayList<>();
        for (String block : Files.readString(DOCUMENT).split(FENCE, -1)) {
            if (block.strip().startsWith(GRANT)) {
                grants.add(block.strip().split("\\s+"));
            }
        }
        assertThat(grants).as("for all, for a Cluster").hasSize(2);
        return grants;
    }

    /** Returns the commands that this server rejected because rights were missing. */
    private static List<String> refused(RedisServer redis) {
        List<String> entries = redis.command("ACL", "LOG").lines().toList();
        List<String> refused = new ArrayList<>();
        for (int i = 0; i + 1 < entries.size(); i++) {
            if (entries.get(i).equals("object")) {
                refused.add(entries.get(i + 1));
            }
        }
        return refused;
    }

    private static Charge charge(Limit limit, String key) {
        return Charge.of(LimitSettings.of("rights", limit), Key.of("rights", key), 1);
    }

    private static Decision decide(RedisEngine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
