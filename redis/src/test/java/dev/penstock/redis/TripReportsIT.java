package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.TripListener;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TripReportsIT {
    private static final LimitSettings TERMS = LimitSettings.of("policy", Limit.tokenBucket(1_000, Duration.ofDays(1)));

    private final Watching watching = new Watching();

    private static final class Watching implements TripListener {
        private final List<Long> trips = new CopyOnWriteArrayList<>();
        private final Set<String> shards = new ConcurrentSkipListSet<>();
        private final List<Kind> failures = new CopyOnWriteArrayList<>();
        private final List<Integer> batches = new CopyOnWriteArrayList<>();

        @Override
        public void onTrip(String shard, long micros) {
            shards.add(shard);
            trips.add(micros);
        }

        @Override
        public void onFailure(Kind kind) {
            failures.add(kind);
        }

        @Override
        public void onBatch(int asks) {
            batches.add(asks);
        }
    }

    private static Ask ask(String who) {
        return Ask.of(Charge.of(TERMS, Key.of("counter", who), 1));
    }

    private static CompletableFuture<Decision> decide(RedisEngine engine, String who) {
        return engine.decide(ask(who)).whenReady().toCompletableFuture();
    }

    /** Waits, because a round trip or its failure may be reported after the answer. */
    private static void told(ThrowingRunnable expected) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(expected);
    }

    @Test
    void trips_andBatchSizes_areReported() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine =
                        RedisEngine.builder(redis.uri()).listener(watching).build()) {
            decide(engine, "ann").join();
            redis.command("SCRIPT", "FLUSH");
            CompletableFuture.allOf(IntStream.range(0, 200)
                            .mapToObj(i -> decide(engine, "u" + i))
                            .toArray(CompletableFuture[]::new))
                    .join();

            assertThat(watching.batches.stream().mapToInt(each -> each).sum()).isEqualTo(201);
            assertThat(watching.batches).first().isEqualTo(1);
            told(() -> assertThat(watching.trips.size()).isGreaterThanOrEqualTo(watching.batches.size()));
            assertThat(watching.trips).allMatch(micros -> micros >= 0);
            assertThat(watching.shards).containsExactly("127.0.0.1:" + redis.port());
            assertThat(watching.failures)
                    .as("a script that is sent again is not an error")
                    .isEmpty();
        }
    }

    @Test
    void tripsOfACluster_areReportedByNode() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine engine = RedisEngine.builder("redis-cluster://127.0.0.1:"
                                + cluster.nodes().get(0).port())
                        .listener(watching)
                        .build()) {
            for (int i = 0; i < 100; i++) {
                decide(engine, "u" + i).join();
            }

            assertThat(watching.shards)
                    .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                            .map(node -> "127.0.0.1:" + node.port())
                            .toList());
        }
    }

    @Test
    void redisGone_isAConnectionFailure() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine =
                        RedisEngine.builder(redis.uri()).listener(watching).build()) {
            decide(engine, "ann").join();
            told(() -> assertThat(watching.trips)
                    .as("by its digest and by its text")
                    .hasSize(2));
            redis.kill();

            assertThatThrownBy(() -> decide(engine, "ann").join()).isNotNull();

            told(() -> assertThat(watching.failures).containsOnly(TripListener.Kind.CONNECTION));
            assertThat(watching.trips).hasSize(2);
        }
    }

    @Test
    void readOnlyRedis_isARefusal() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine =
                        RedisEngine.builder(redis.uri()).listener(watching).build()) {
            redis.command("CONFIG", "SET", "min-replicas-to-write", "1");

            assertThatThrownBy(() -> decide(engine, "ann").join()).isNotNull();

            told(() -> assertThat(watching.failures).containsOnly(TripListener.Kind.REFUSED));
        }
    }

    @Test
    void listenerThatFails_changesNoDecision() {
        TripListener failing = new TripListener() {
            @Override
            public void onTrip(String shard, long micros) {
                throw new IllegalStateException("the listener's own");
            }

            @Override
            public void onFailure(Kind kind) {
                throw new IllegalStateException("the listener's own");
            }

            @Override
            public void onBatch(int asks) {
                throw new IllegalStateException("the listener's own");
            }
        };
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine =
                        RedisEngine.builder(redis.uri()).listener(failing).build()) {
            assertThat(decide(engine, "ann").join().isAllowed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ERR value is not an integer                    | SCRIPT
            ERR user_script:3: attempt to index a nil      | SCRIPT
            OOM command not allowed, on @user_script       | REFUSED
            READONLY You can't write against a replica     | REFUSED
            NOAUTH Authentication required.                | REFUSED
            WRONGTYPE Operation against a key              | REFUSED
            FOREIGNVALUE p1:{a}bucket was not written by   | REFUSED
            MOVED 3999 127.0.0.1:6381                      |
            ASK 3999 127.0.0.1:6381                        |
            """)
    void kindOf_redisError_isItsKind(String message, TripListener.@Nullable Kind kind) {
        assertThat(TripReports.kindOf(new RedisCommandExecutionException(message)))
                .isEqualTo(kind);
    }

    @Test
    void kindOf_clientFailure_isItsKind() {
        assertThat(TripReports.kindOf(new RedisNoScriptException("NOSCRIPT"))).isNull();
        assertThat(TripReports.kindOf(new RedisCommandTimeoutException())).isEqualTo(TripListener.Kind.TIMEOUT);
        assertThat(TripReports.kindOf(new RedisConnectionException("refused"))).isEqualTo(TripListener.Kind.CONNECTION);
        assertThat(TripReports.kindOf(new RedisException("Connection closed"))).isEqualTo(TripListener.Kind.CONNECTION);
        assertThat(TripReports.kindOf(new IllegalStateException("not connected yet")))
                .isEqualTo(TripListener.Kind.CONNECTION);
        assertThat(TripReports.kindOf(new ArithmeticException("our own"))).isEqualTo(TripListener.Kind.OTHER);
    }
}
