package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.testkit.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

class RedisBenchmarkIT {
    private static final RedisServer REDIS = RedisServer.start();
    private static final Settings.Length SHORT = new Settings.Length(1, 1);

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @BeforeEach
    void empty() {
        REDIS.command("FLUSHALL");
    }

    static boolean isOnThePath() {
        return RedisBenchmark.version().isPresent();
    }

    @Test
    void parse_csv_readsTheFiguresAtItsEnd() {
        String output = """
                "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
                "EVALSHA 0a 1 k "1","2" x","125000.50","0.250","0.100","0.200","0.400","0.800","1.600\"""";

        assertThat(RedisBenchmark.Run.parse(output)).contains(new RedisBenchmark.Run(125_000.5, new Latency(200, 800)));
        assertThat(RedisBenchmark.Run.parse("ERR unknown")).isEmpty();
    }

    @Test
    void words_ofALineOfMonitor_areTheBytesThatWereSent() {
        List<byte[]> words = SentScript.words("+1.5 [0 127.0.0.1:7] \"GET\" \"a \\\"b\\\\\\x00\\xff\\n\\a\"");

        assertThat(words).hasSize(2);
        assertThat(new String(words.get(0), StandardCharsets.ISO_8859_1)).isEqualTo("GET");
        assertThat(new String(words.get(1), StandardCharsets.ISO_8859_1)).isEqualTo("a \"b\\\0\u00ff\n\u0007");
    }

    @Test
    void sentScript_runAgain_chargesTheSameBucket() {
        SentScript sent = SentScript.watch(REDIS, Scenario.HOT_KEY);

        String sha = sent.loadWithArgument(REDIS);
        long before = Long.parseLong(REDIS.command("GET", sent.key()));
        assertThat(REDIS.command("EVALSHA", sha, "1", sent.key())).isNotEmpty();
        assertThat(Long.parseLong(REDIS.command("GET", sent.key()))).isGreaterThan(before);
    }

    @Test
    void hotKey_hasTheCeilingOnlyIfTheToolIsAvailable() {
        assertThat(hotKey(new RedisBench(Optional.of("redis-benchmark 7.0.15"))))
                .containsAll(RedisBenchmark.CONTENDERS);
        assertThat(hotKey(new RedisBench(Optional.empty())))
                .contains(Deciders.INCR)
                .doesNotContainAnyElementsOf(RedisBenchmark.CONTENDERS);
        try (RedisBench without = new RedisBench(Optional.empty())) {
            assertThat(without.conditions())
                    .containsEntry("ceiling", "incr_pipelined alone (redis-benchmark: not on the PATH)");
        }
    }

    private static List<String> hotKey(RedisBench bench) {
        return bench.cases().stream()
                .filter(each -> each.name().equals(Scenario.HOT_KEY.caseName()))
                .flatMap(each -> each.contenders().stream())
                .map(Contender::name)
                .toList();
    }

    @Test
    @EnabledIf(value = "isOnThePath", disabledReason = "redis-benchmark is not on the PATH")
    void turn_ofEach_countsTheWorkOfRedis() throws BenchFailure {
        RedisBenchmark tool = new RedisBenchmark(REDIS, Scenario.HOT_KEY);

        Turn incr = tool.turn(RedisBenchmark.INCR, SHORT);
        assertThat(incr.meanOpsPerSecond()).isPositive();
        assertThat(incr.overAStore().scriptsPerOp()).isZero();
        assertThat(incr.overAStore().errors()).isZero();

        Turn script = tool.turn(RedisBenchmark.SCRIPT, SHORT);
        assertThat(script.overAStore().scriptsPerOp()).isBetween(1.0, 1.1);
        assertThat(script.overAStore().errors()).isZero();
        assertThat(script.overAStore().microsPerScript()).isPositive();
        assertThat(script.allowedShare()).isEqualTo(1);
    }
}
