package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.MemoryCase;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Wanted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The benchmark {@code redis}: its cases, the expected ratios, and how it runs with its own Redis. */
public final class RedisBench implements Benchmark {
    private static final String NAME = "redis";

    /** Limits are above demand. Otherwise denied requests would write nothing. */
    private static final AllowedShare NEARLY_ALL = new AllowedShare(0.999, 1);

    /** Demand is far above the limit. */
    private static final AllowedShare LITTLE = new AllowedShare(0.0001, 0.7);

    private final OwnServers servers = new OwnServers();
    private final Optional<String> tool;

    public RedisBench() {
        this(RedisBenchmark.version());
    }

    /**
     * Creates the benchmark.
     *
     * @param tool the version of redis-benchmark; empty if it is not available
     */
    RedisBench(Optional<String> tool) {
        this.tool = tool;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Settings careful() {
        return Settings.CAREFUL_BUT_SHORTER;
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.OVER_A_STORE;
    }

    @Override
    public List<BenchCase> cases() {
        return List.of(
                caseOf(Scenario.UNIFORM, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.BUCKET4J, Deciders.PLAIN)
                        .reported(
                                Deciders.PLAIN_PIPELINED,
                                Deciders.BUCKET4J_BATCHING,
                                Deciders.REDISSON,
                                Deciders.SPRING,
                                Deciders.INCR)
                        .expecting(
                                Expectation.throughput("uniform_vs_bucket4j", Deciders.PENSTOCK, Deciders.BUCKET4J, 4),
                                Expectation.throughput(
                                        "uniform_vs_plain_evalsha", Deciders.PENSTOCK, Deciders.PLAIN, 1.8)),
                caseOf(Scenario.ZIPF, NEARLY_ALL).reported(Deciders.PENSTOCK, Deciders.BUCKET4J, Deciders.PLAIN),
                caseOf(Scenario.HOT_KEY, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.BUCKET4J, Deciders.BUCKET4J_BATCHING)
                        .reported(Deciders.PLAIN, Deciders.REDISSON, Deciders.SPRING, Deciders.INCR)
                        .reported(tool.isPresent() ? RedisBenchmark.CONTENDERS.toArray(String[]::new) : new String[0])
                        .expecting(
                                Expectation.throughput(
                                        "hot_key_strict_vs_bucket4j", Deciders.PENSTOCK, Deciders.BUCKET4J, 100),
                                Expectation.throughput(
                                        "hot_key_strict_vs_bucket4j_batching",
                                        Deciders.PENSTOCK,
                                        Deciders.BUCKET4J_BATCHING,
                                        1.5)),
                caseOf(Scenario.HOT_KEY_LEASED, LITTLE)
                        .inRatio(Deciders.PENSTOCK_LEASED, Deciders.PLAIN)
                        .reported(Deciders.PENSTOCK)
                        .expecting(Expectation.throughput(
                                "hot_key_leased_vs_plain_evalsha", Deciders.PENSTOCK_LEASED, Deciders.PLAIN, 30))
                        .expecting(LimitUse.leased(Scenario.HOT_KEY_LEASED.permitsPerSecond())),
                caseOf(Scenario.ATTACK, LITTLE)
                        .inRatio(Deciders.PENSTOCK_CACHED)
                        .reported(Deciders.PENSTOCK)
                        .expecting(LimitUse.ATTACK),
                caseOf(Scenario.THREE_LIMITS, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.THREE_PLAIN)
                        .expecting(Expectation.throughput(
                                "three_limits_vs_three_plain_evalsha", Deciders.PENSTOCK, Deciders.THREE_PLAIN, 2)),
                caseOf(Scenario.THREE_LIMITS_LATENCY, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.THREE_PLAIN)
                        .expecting(Expectation.medianLatency(
                                "three_limits_latency_vs_three_sequential",
                                Deciders.PENSTOCK,
                                Deciders.THREE_PLAIN,
                                0.5)),
                caseOf(Scenario.FLEET, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.HASH, Deciders.PLAIN)
                        .reported(Deciders.BUCKET4J)
                        .expecting(
                                Expectation.scriptTime(
                                        "fleet_script_time_vs_plain_evalsha", Deciders.PENSTOCK, Deciders.HASH, 0.6),
                                Expectation.storeCpu(
                                        "fleet_store_cpu_vs_plain_evalsha", Deciders.PENSTOCK, Deciders.HASH, 0.8),
                                Expectation.toldScriptTime(
                                        "fleet_script_time_vs_shortest_script", Deciders.PENSTOCK, Deciders.PLAIN)),
                caseOf(Scenario.FLEET_THREE_LIMITS, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK, Deciders.THREE_HASH, Deciders.THREE_PLAIN)
                        .expecting(
                                Expectation.scriptTime(
                                        "fleet_three_limits_script_time_vs_three_plain",
                                        Deciders.PENSTOCK,
                                        Deciders.THREE_HASH,
                                        0.45),
                                Expectation.toldScriptTime(
                                        "fleet_three_limits_script_time_vs_three_shortest",
                                        Deciders.PENSTOCK,
                                        Deciders.THREE_PLAIN)),
                caseOf(Scenario.LATENCY, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK)
                        .reported(Deciders.PLAIN, Deciders.BUCKET4J)
                        .expecting(AddedLatency.TO_PING, AddedLatency.TO_THE_MOST),
                caseOf(Scenario.CLUSTER_SLOTS, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK_SPANNING, Deciders.PENSTOCK_COLOCATED)
                        .expecting(Expectation.toldThroughput(
                                "cluster_spanning_vs_colocated",
                                Deciders.PENSTOCK_SPANNING,
                                Deciders.PENSTOCK_COLOCATED)),
                caseOf(Scenario.CLUSTER_SLOTS_LATENCY, NEARLY_ALL)
                        .inRatio(Deciders.PENSTOCK_SPANNING, Deciders.PENSTOCK_COLOCATED)
                        .expecting(Expectation.toldMedianLatency(
                                "cluster_spanning_latency_vs_colocated",
                                Deciders.PENSTOCK_SPANNING,
                                Deciders.PENSTOCK_COLOCATED)));
    }

    private BenchCase caseOf(Scenario scenario, AllowedShare allowed) {
        return new BenchCase(scenario.caseName(), new OwnRedis(scenario, servers), allowed);
    }

    @Override
    public Optional<MemoryCase> memory(Settings settings) {
        return Optional.of(new MemoryCase(
                List.of(Deciders.PENSTOCK, Deciders.BUCKET4J, Deciders.REDISSON, Deciders.SPRING, Deciders.PLAIN),
                Scenario.MEMORY.users(),
                new RedisMemory(Scenario.MEMORY, servers),
                "bucket4j_redis_bytes_per_key_vs_ours",
                Wanted.atLeast(2)));
    }

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(
                "redis",
                servers.redis()
                        .command("INFO", "server")
                        .lines()
                        .filter(line -> line.startsWith("redis_version:"))
                        .map(line -> line.substring(line.indexOf(':') + 1))
                        .findFirst()
                        .orElse("unknown"));
        map.put("in_flight", Scenario.MOST_IN_FLIGHT);
        map.put("fleet_nodes", Scenario.FLEET_NODES);
        map.put("fleet_decisions_per_second_and_node", Scenario.FLEET_PER_SECOND);
        map.put("in_flight_in_a_cluster", Scenario.MOST_IN_FLIGHT_IN_A_CLUSTER);
        map.put("latency_decisions_per_second", Paced.PER_SECOND);
        map.put("ceiling", tool.orElse("incr_pipelined alone (redis-benchmark: not on the PATH)"));
        return map;
    }

    @Override
    public void close() {
        servers.close();
    }

    @Override
    public Map<String, String> files(Report report) {
        return Map.of(NAME + ".json", JsonReport.text(report), NAME + ".svg", RedisPlot.svg(report));
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench redis [OPTIONS]

            Compares decisions over its own Redis with Bucket4j, Redisson, Spring Cloud Gateway's script and a plain
            script. Prints a table, and writes bench/results/redis.json and redis.svg after a full run. bench/README.md
            explains what is measured and how.

            Options:
              --quick       one short round of about six minutes, instead of twenty-five
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
