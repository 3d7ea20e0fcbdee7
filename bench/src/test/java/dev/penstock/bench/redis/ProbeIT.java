package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Runs a very short turn with a real Redis. */
class ProbeIT {
    private static final RedisServer REDIS = RedisServer.start();
    private static final Settings.Length SHORT = new Settings.Length(1, 2);
    private static final Duration ITERATION = Duration.ofMillis(150);
    private static final int USERS = 500;

    /** Enough that users who send one by one would wait too long if commands were held back. */
    private static final int MANY_USERS = 10_000;

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Test
    void measure_manyInFlight_allowsAndCountsAll() {
        REDIS.command("FLUSHALL");

        Turn turn = measure(Scenario.Arrival.MANY_IN_FLIGHT, Deciders.PENSTOCK);

        assertThat(turn.opsPerSecond())
                .hasSize(2)
                .allSatisfy(ops -> assertThat(ops).isPositive());
        assertThat(turn.allowedShare()).isEqualTo(1);
        assertThat(turn.overAStore().errors()).isZero();
        assertThat(turn.overAStore().scriptsPerOp()).isBetween(0.0, 1.1);
        assertThat(turn.overAStore().latency().p50Micros()).isPositive();
        assertThat(turn.overAStore().ping()).isEmpty();
        assertThat(REDIS.command("KEYS", "*user-*").lines()).hasSize(USERS);
    }

    @Test
    void measure_fromThreadsAndInAFlood_isAnsweredByLeasesAndTheDenyCache() {
        assertThat(measure(Scenario.Arrival.FROM_THREADS, Deciders.PENSTOCK_LEASED)
                        .overAStore()
                        .errors())
                .isZero();
        assertThat(measure(Scenario.Arrival.FLOOD, Deciders.PENSTOCK_CACHED).meanOpsPerSecond())
                .isPositive();
    }

    @Test
    void measure_atAPace_hasPingsToCompareWith() {
        Turn turn = measure(Scenario.Arrival.AT_A_PACE, Deciders.PLAIN);

        assertThat(turn.meanOpsPerSecond()).isPositive();
        assertThat(turn.overAStore().ping()).isPresent();
        assertThat(turn.overAStore().errors()).isZero();
    }

    @Test
    void measure_pipelined_leavesNoCommandUnsent() {
        Turn turn = measure(Scenario.Arrival.MANY_IN_FLIGHT, Deciders.INCR, MANY_USERS);

        assertThat(turn.allowedShare()).isEqualTo(1);
    }

    @Test
    void files_ofAReport_haveOnlyMeasuredRatios() {
        Score score = new Score(
                Scenario.UNIFORM.caseName(),
                Contender.inRatio(Deciders.PENSTOCK),
                List.of(measure(Scenario.Arrival.MANY_IN_FLIGHT, Deciders.PENSTOCK)));
        List<MemoryPerKey> memory =
                List.of(new MemoryPerKey(Deciders.PENSTOCK, 1, 100), new MemoryPerKey(Deciders.BUCKET4J, 1, 300));
        Report report = new Report(
                "redis",
                Settings.QUICK,
                Map.of("in_flight", 256),
                new SourceTree(Path.of("."), Optional.empty(), false),
                Instant.EPOCH,
                List.of(score),
                memory,
                List.of(new RedisBench().memory(Settings.QUICK).orElseThrow().ratio(memory)));

        Map<String, String> files = new RedisBench().files(report);

        assertThat(files).containsOnlyKeys("redis.json", "redis.svg");
        assertThat(files.get("redis.json"))
                .isEqualTo(JsonReport.text(report))
                .contains("\"bucket4j_redis_bytes_per_key_vs_ours\": 3.000", "\"p99_micros\": ", "\"errors\": 0")
                .doesNotContain("hot_key");
        assertThat(files.get("redis.svg")).contains("uniform: decisions per second", "penstock_strict", ">300<");
    }

    private static Turn measure(Scenario.Arrival arrival, String contender) {
        return measure(arrival, contender, USERS);
    }

    private static Turn measure(Scenario.Arrival arrival, String contender, int users) {
        List<BenchAccount> accounts = List.of(new BenchAccount("user", LoadRate.MILLIONTH, "user-", 7, users, 1));
        Scenario scenario =
                new Scenario("tiny", arrival, accounts, users, Scenario.Skew.NONE, Scenario.Store.ONE_SERVER);
        return new Probe(scenario, Nodes.of(List.of(REDIS)), ITERATION).measure(contender, SHORT);
    }
}
