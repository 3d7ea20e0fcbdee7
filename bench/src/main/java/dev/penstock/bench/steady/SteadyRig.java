package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.LineProcess;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.server.ServiceNode;
import dev.penstock.bench.server.Wire;
import dev.penstock.testkit.server.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The resources that cases share: the load generator, Redis, the policies, and how to start services. */
final class SteadyRig implements AutoCloseable {
    /** The attribute that the policy with 100 permits matches. */
    static final String SCARCE = "scarce";

    static final int SCARCE_PERMITS = 100;

    /** The attribute that the policy with slots matches. Each such request runs a separate script in Redis. */
    static final String SLOTS = "slots";

    /** Limits so far above the traffic that every denial is wrong, and one that {@link PermitTrial} uses up. */
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: window, match: { kind: check }, limits: [ { key: [user], fixed_window: 1000000/h } ] }
              - { name: bucket, match: { kind: check }, limits: [ { key: [user], token_bucket: 1000000/h } ] }
              - { name: slots, match: { kind: slots }, limits: [ { key: [user], concurrency: 1000, ttl: 1s } ] }
              - { name: scarce, match: { kind: scarce }, limits: [ { key: [user], fixed_window: %d/h } ] }
            """.formatted(SCARCE_PERMITS);

    /** As long as an answer of the service, so that reading it costs the generator the same. */
    private static final String NOOP_ANSWER = "{\"allowed\":true,\"filler\":\"" + "x".repeat(660) + "\"}";

    private static final Pattern DEADLINE = Pattern.compile("\"name\": \"deadline\",\\s*\"value\": \"(\\d+)(ms|s)\"");
    /** After this many requests of a kind the generator becomes no faster, even on a busy machine. */
    private static final int GENERATOR_WARM_UP_REQUESTS = 100_000;

    private static final double GENERATOR_WARM_UP_AT_MOST_SECONDS = 60;
    private static final int GENERATOR_MEASURED_SECONDS = 3;

    private final SourceTree tree;
    private final boolean isQuick;
    private final Path directory;
    private final Path policies;
    private final RedisServer redis = RedisServer.start();
    private final LoadGenerator generator = new LoadGenerator();
    private final Map<String, Object> generatorFigures = new LinkedHashMap<>();
    private Duration deadline = Duration.ZERO;

    SteadyRig(SourceTree tree, boolean isQuick) throws BenchFailure {
        this.tree = tree;
        this.isQuick = isQuick;
        try {
            this.directory = Files.createTempDirectory("penstock-steady-");
            this.policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        } catch (IOException e) {
            throw new BenchFailure("the policies could not be written", e);
        }
    }

    /** Builds the service if needed, lets the first start create its class archive, and warms up the generator. */
    void prepare() throws BenchFailure {
        String config = ChildProcess.output(
                        tree.root().resolve("penstock").toString(),
                        "serve",
                        "--policies",
                        policies.toString(),
                        "--print-config",
                        "--json")
                .orElseThrow(() -> new BenchFailure("penstock serve --print-config failed (expected: the settings)"));
        Matcher matcher = DEADLINE.matcher(config);
        if (!matcher.find()) {
            throw new BenchFailure("the deadline was not found in the output of penstock serve --print-config --json");
        }
        long value = Long.parseLong(matcher.group(1));
        deadline = matcher.group(2).equals("s") ? Duration.ofSeconds(value) : Duration.ofMillis(value);
        start().close();
        warmUpGenerator();
    }

    /**
     * Warms up the generator with a service that decides nothing. Otherwise a cold client could be mistaken for a cold
     * service.
     */
    private void warmUpGenerator() throws BenchFailure {
        try {
            Path json = Files.writeString(directory.resolve("answer.json"), NOOP_ANSWER);
            Path message = Files.write(
                    directory.resolve("answer.message"),
                    RateLimitResponse.newBuilder()
                            .setOverallCode(RateLimitResponse.Code.OK)
                            .build()
                            .toByteArray());
            try (LineProcess noop = LineProcess.start(
                    ServiceNode.class, List.of(), List.of("noop", json.toString(), message.toString()), log())) {
                List<LoadNode> nodes = LoadSession.nodes(Integer.parseInt(noop.first()));
                for (Wire wire : Wire.values()) {
                    LoadPlan warmUp =
                            new LoadPlan.Closed(64, GENERATOR_WARM_UP_AT_MOST_SECONDS, GENERATOR_WARM_UP_REQUESTS);
                    check(wire.caseName(), generator.run(template(wire), warmUp, nodes));
                    LoadPlan plan = new LoadPlan.Closed(64, GENERATOR_MEASURED_SECONDS);
                    LoadSamples samples = generator.run(template(wire), plan, nodes);
                    check(wire.caseName(), samples);
                    generatorFigures.put(
                            wire.caseName() + "_closed_64_per_second", samples.size() / GENERATOR_MEASURED_SECONDS);
                }
                RateShape shape = RateShape.constant(2_000, GENERATOR_MEASURED_SECONDS);
                LoadSamples paced = generator.run(template(Wire.HTTP2), new LoadPlan.Open(shape), nodes);
                check("open loop", paced);
                int[] latencies = paced.sortedLatencies(0, Long.MAX_VALUE);
                generatorFigures.put("open_2000_p50_ms", LoadSamples.quantile(latencies, 0.5) / 1e3);
                generatorFigures.put("open_2000_p99_ms", LoadSamples.quantile(latencies, 0.99) / 1e3);
                generatorFigures.put("open_2000_max_ms", LoadSamples.quantile(latencies, 1) / 1e3);
            }
        } catch (IOException e) {
            throw new BenchFailure("the answers of the service that decides nothing could not be written", e);
        }
    }

    private static void check(String what, LoadSamples samples) throws BenchFailure {
        int allowed = samples.count(AnswerKind.ALLOWED);
        if (allowed != samples.size() || allowed == 0) {
            throw new BenchFailure("the generator against a service that decides nothing, " + what + ": " + allowed
                    + " successful answers (expected: all of " + samples.size() + ")");
        }
    }

    static RequestTemplate template(Wire wire) {
        return RequestTemplate.of(wire, Wire.KIND);
    }

    LoadGenerator generator() {
        return generator;
    }

    RedisServer redis() {
        return redis;
    }

    /** Returns the product's default deadline, as {@code serve --print-config} reports it. */
    Duration deadline() {
        return deadline;
    }

    /** Returns the performance of the generator with a service that decides nothing. */
    Map<String, Object> generatorFigures() {
        return generatorFigures;
    }

    /** Returns one of two numbers, for a full run or a quick one. */
    int choose(int careful, int quick) {
        return isQuick ? quick : careful;
    }

    /** Starts a fresh service on an empty Redis. */
    ServiceProcess start() throws BenchFailure {
        return start(redis.uri(), Map.of());
    }

    ServiceProcess start(String redisUri, Map<String, String> environment) throws BenchFailure {
        redis.command("FLUSHALL");
        return startBeside(redisUri, environment);
    }

    /** Starts a service that shares Redis with others. */
    ServiceProcess startBeside(String redisUri, Map<String, String> environment) throws BenchFailure {
        return ServiceProcess.start(tree.root(), policies, redisUri, environment, log());
    }

    private Path log() {
        return tree.benchLog();
    }

    @Override
    public void close() {
        generator.close();
        redis.close();
        for (String name : List.of("policies.yaml", "answer.json", "answer.message")) {
            boolean unused = directory.resolve(name).toFile().delete();
        }
        boolean unused = directory.toFile().delete();
    }
}
