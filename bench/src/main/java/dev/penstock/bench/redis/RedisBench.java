package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.Rounds;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The benchmark {@code redis}: its cases, what is expected of them, and their run on a Redis of its own. */
public final class RedisBench implements Benchmark {
    private static final String NAME = "redis";

    /** Everyone's limit is above what is asked, or nothing would be written. */
    private static final AllowedShare NEARLY_ALL = new AllowedShare(0.999, 1);

    /** Much more is asked for than allowed. */
    private static final AllowedShare LITTLE = new AllowedShare(0.0001, 0.7);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> caseNames() {
        return Scenario.ALL.stream().map(Scenario::caseName).toList();
    }

    @Override
    public Settings careful() {
        return Settings.CAREFUL_BUT_SHORTER;
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.OVER_A_STORE;
    }

    static List<BenchCase> cases(RedisServer server) {
        return List.of(
                new BenchCase(
                        Scenario.UNIFORM.caseName(),
                        new OwnRedis(Scenario.UNIFORM, server),
                        NEARLY_ALL,
                        List.of(
                                Contender.inRatio(Deciders.PENSTOCK),
                                Contender.inRatio(Deciders.BUCKET4J),
                                Contender.inRatio(Deciders.PLAIN),
                                Contender.reported(Deciders.PLAIN_PIPELINED),
                                Contender.reported(Deciders.BUCKET4J_BATCHING),
                                Contender.reported(Deciders.REDISSON),
                                Contender.reported(Deciders.SPRING),
                                Contender.reported(Deciders.INCR)),
                        List.of(
                                Expectation.throughput("uniform_vs_bucket4j", Deciders.PENSTOCK, Deciders.BUCKET4J, 4),
                                Expectation.throughput(
                                        "uniform_vs_plain_evalsha", Deciders.PENSTOCK, Deciders.PLAIN, 1.8))),
                new BenchCase(
                        Scenario.ZIPF.caseName(),
                        new OwnRedis(Scenario.ZIPF, server),
                        NEARLY_ALL,
                        List.of(
                                Contender.reported(Deciders.PENSTOCK),
                                Contender.reported(Deciders.BUCKET4J),
                                Contender.reported(Deciders.PLAIN)),
                        List.of()),
                new BenchCase(
                        Scenario.HOT_KEY.caseName(),
                        new OwnRedis(Scenario.HOT_KEY, server),
                        NEARLY_ALL,
                        List.of(
                                Contender.inRatio(Deciders.PENSTOCK),
                                Contender.inRatio(Deciders.BUCKET4J),
                                Contender.reported(Deciders.PLAIN),
                                Contender.reported(Deciders.BUCKET4J_BATCHING),
                                Contender.reported(Deciders.REDISSON),
                                Contender.reported(Deciders.SPRING),
                                Contender.reported(Deciders.INCR)),
                        List.of(Expectation.throughput(
                                "hot_key_strict_vs_bucket4j", Deciders.PENSTOCK, Deciders.BUCKET4J, 100))),
                new BenchCase(
                        Scenario.HOT_KEY_LEASED.caseName(),
                        new OwnRedis(Scenario.HOT_KEY_LEASED, server),
                        LITTLE,
                        List.of(
                                Contender.inRatio(Deciders.PENSTOCK_LEASED),
                                Contender.inRatio(Deciders.PLAIN),
                                Contender.reported(Deciders.PENSTOCK)),
                        List.of(Expectation.throughput(
                                "hot_key_leased_vs_plain_evalsha", Deciders.PENSTOCK_LEASED, Deciders.PLAIN, 30))),
                new BenchCase(
                        Scenario.ATTACK.caseName(),
                        new OwnRedis(Scenario.ATTACK, server),
                        LITTLE,
                        List.of(Contender.inRatio(Deciders.PENSTOCK_CACHED), Contender.reported(Deciders.PENSTOCK)),
                        List.of()),
                new BenchCase(
                        Scenario.THREE_LIMITS.caseName(),
                        new OwnRedis(Scenario.THREE_LIMITS, server),
                        NEARLY_ALL,
                        List.of(Contender.inRatio(Deciders.PENSTOCK), Contender.inRatio(Deciders.THREE_PLAIN)),
                        List.of(Expectation.throughput(
                                "three_limits_vs_three_plain_evalsha", Deciders.PENSTOCK, Deciders.THREE_PLAIN, 2))),
                new BenchCase(
                        Scenario.THREE_LIMITS_LATENCY.caseName(),
                        new OwnRedis(Scenario.THREE_LIMITS_LATENCY, server),
                        NEARLY_ALL,
                        List.of(Contender.inRatio(Deciders.PENSTOCK), Contender.inRatio(Deciders.THREE_PLAIN)),
                        List.of(Expectation.medianLatency(
                                "three_limits_latency_vs_three_sequential",
                                Deciders.PENSTOCK,
                                Deciders.THREE_PLAIN,
                                0.5))),
                new BenchCase(
                        Scenario.LATENCY.caseName(),
                        new OwnRedis(Scenario.LATENCY, server),
                        NEARLY_ALL,
                        List.of(
                                Contender.inRatio(Deciders.PENSTOCK),
                                Contender.reported(Deciders.PLAIN),
                                Contender.reported(Deciders.BUCKET4J)),
                        List.of()));
    }

    @Override
    public Report measure(BenchOptions options, SourceTree tree, PrintStream log) throws BenchFailure {
        try (RedisServer server = RedisServer.start()) {
            return measure(options, tree, server, log);
        }
    }

    private static Report measure(BenchOptions options, SourceTree tree, RedisServer server, PrintStream log)
            throws BenchFailure {
        List<BenchCase> cases = cases(server).stream()
                .filter(each -> options.includes(each.name()))
                .toList();
        boolean withMemory = options.includes(RedisMemory.SCENARIO.caseName());
        int turns = Rounds.count(cases, options.settings()) + (withMemory ? RedisMemory.CONTENDERS.size() : 0);
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Progress progress = new Progress(System.out, turns);
        Rounds rounds = new Rounds(options.settings(), progress, log);
        List<Score> scores = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (BenchCase each : cases) {
            List<Score> ofCase = rounds.run(each);
            scores.addAll(ofCase);
            ratios.addAll(Rounds.ratios(each, ofCase));
            if (each.name().equals(Scenario.LATENCY.caseName())) {
                ratios.addAll(AddedLatency.ratios(ofCase));
            } else if (each.name().equals(Scenario.HOT_KEY_LEASED.caseName())) {
                ratios.add(LimitUse.leased(ofCase, Scenario.HOT_KEY_LEASED.permitsPerSecond()));
            } else if (each.name().equals(Scenario.ATTACK.caseName())) {
                ratios.add(LimitUse.attack(ofCase));
            }
        }
        List<MemoryPerKey> memory = withMemory ? RedisMemory.run(server, progress, log) : List.of();
        if (withMemory) {
            ratios.add(RedisMemory.ratio(memory));
        }
        System.out.println("Done in " + progress.elapsed());
        return new Report(NAME, options.settings(), conditions(server), tree, start, scores, memory, ratios);
    }

    private static Map<String, Object> conditions(RedisServer server) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(
                "redis",
                server.command("INFO", "server")
                        .lines()
                        .filter(line -> line.startsWith("redis_version:"))
                        .map(line -> line.substring(line.indexOf(':') + 1))
                        .findFirst()
                        .orElse("unknown"));
        map.put("in_flight", Scenario.MOST_IN_FLIGHT);
        map.put("latency_decisions_per_second", Paced.PER_SECOND);
        return map;
    }

    @Override
    public Map<String, String> files(Report report) {
        return Map.of(NAME + ".json", JsonReport.text(report), NAME + ".svg", RedisPlot.svg(report));
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench redis [OPTIONS]

            Measures decisions over a Redis of its own against Bucket4j, Redisson, Spring Cloud Gateway's script and a plain
            script: a table at the end, and bench/results/redis.json and redis.svg after a whole run. What is measured, and
            how, is in bench/README.md.

            Options:
              --quick       one short round, about five minutes; without it a quarter of an hour
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
