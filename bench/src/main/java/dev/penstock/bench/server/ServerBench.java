package dev.penstock.bench.server;

import dev.penstock.bench.harness.BarPlot;
import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The benchmark {@code server}: one case per protocol. */
public final class ServerBench implements Benchmark {
    static final String NOOP = "noop";
    static final String MEMORY = "penstock_memory";
    static final String REDIS = "penstock_redis";

    private static final String NAME = "server";

    /** Limits are above demand, and the store must make all decisions. */
    private static final AllowedShare NEARLY_ALL = new AllowedShare(0.999, 1);

    /** The maximum warm-up in seconds. A service needs longer than a loop: see {@link LoadWarmUp}. */
    public static final Settings CAREFUL =
            new Settings("careful", 3, new Settings.Length(90, 5), new Settings.Length(90, 5));

    private final Services services = new Services();
    private final Optional<String> wrk;
    private final Optional<String> h2load;

    public ServerBench() {
        this(Wrk.version(), H2load.version());
    }

    /** Creates the benchmark with the versions of the two tools; empty for one that is missing. */
    ServerBench(Optional<String> wrk, Optional<String> h2load) {
        this.wrk = wrk;
        this.h2load = h2load;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void prepare() throws BenchFailure {
        List<String> missing = new ArrayList<>();
        if (h2load.isEmpty()) {
            missing.add(H2load.TOOL);
        }
        if (wrk.isEmpty()) {
            missing.add(Wrk.TOOL);
        }
        if (!missing.isEmpty()) {
            throw new BenchFailure(String.join(" and ", missing)
                    + ": not on the PATH (expected: both h2load and wrk; apt-get install nghttp2-client wrk)");
        }
    }

    @Override
    public Settings careful() {
        return CAREFUL;
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.SERVED;
    }

    @Override
    public List<BenchCase> cases() {
        return List.of(
                caseOf(Wire.HTTP1)
                        .inRatio(NOOP, MEMORY, REDIS)
                        .expecting(
                                Expectation.throughput("http1_memory_vs_noop", MEMORY, NOOP, 0.7),
                                Expectation.throughput("http1_redis_vs_noop", REDIS, NOOP, 0.65)),
                caseOf(Wire.HTTP2)
                        .inRatio(NOOP, MEMORY, REDIS)
                        .expecting(
                                Expectation.toldThroughput("http2_memory_vs_noop", MEMORY, NOOP),
                                Expectation.throughput("http2_redis_vs_noop", REDIS, NOOP, 0.5)),
                caseOf(Wire.GRPC)
                        .inRatio(NOOP, MEMORY, REDIS)
                        .expecting(
                                Expectation.throughput("grpc_memory_vs_noop", MEMORY, NOOP, 0.7),
                                Expectation.throughput("grpc_redis_vs_noop", REDIS, NOOP, 0.55)));
    }

    private BenchCase caseOf(Wire wire) {
        return new BenchCase(wire.caseName(), new Serving(wire, services), NEARLY_ALL);
    }

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("not_default", "a fixed heap of 2 GB, also for noop, so that ratios compare code and not collectors");
        map.put("in_flight", ServerLoad.IN_FLIGHT);
        map.put("users", Wire.USERS);
        map.put("latency_at", "half of the highest rate, over " + H2load.PACED_CONNECTIONS + " connections");
        map.put("http1_by", wrk.orElse("unknown"));
        map.put("http2_and_grpc_by", h2load.orElse("unknown"));
        return map;
    }

    @Override
    public void close() {
        services.close();
    }

    @Override
    public Map<String, String> files(Report report) {
        return Map.of(
                NAME + ".json",
                JsonReport.text(report),
                NAME + ".svg",
                BarPlot.svg(
                        "penstock bench server",
                        "penstock",
                        BarPlot.byCase(report, "answers per second, " + ServerLoad.IN_FLIGHT + " in flight")));
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench server [OPTIONS]

            Compares the service, in memory and over its own Redis, with one that decides nothing. Prints a table, and
            writes bench/results/server.json and server.svg after a full run. Needs h2load and wrk (apt-get install
            nghttp2-client wrk). bench/README.md explains what is measured and how.

            Options:
              --quick       one short, cold round of about two minutes, instead of twenty
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
