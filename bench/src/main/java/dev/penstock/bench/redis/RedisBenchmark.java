package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ceiling: the throughput of Redis's own load generator, written in C, with the same number of requests in flight.
 * No Maven repository has it, so it takes part only if it is on the PATH.
 */
final class RedisBenchmark {
    static final String INCR = "redis_benchmark_incr";
    static final String SCRIPT = "redis_benchmark_our_script";
    static final List<String> CONTENDERS = List.of(INCR, SCRIPT);

    private static final String TOOL = "redis-benchmark";
    private static final int TOGETHER = 64;
    private static final int LEAST_REQUESTS = 20_000;
    private static final Pattern ERRORS = Pattern.compile("total_error_replies:(\\d+)");

    /** The end of a line: requests per second, then mean, min, p50, p95, p99 and max in ms. */
    private static final Pattern FIGURES = Pattern.compile("(?:,?\"([0-9.]+)\"){7}$");

    private static final Pattern FIGURE = Pattern.compile("\"([0-9.]+)\"");

    /** The results of one run of the tool. */
    record Run(double opsPerSecond, Latency latency) {
        /** Parses the output of {@code --csv}. */
        static Optional<Run> parse(String output) {
            Matcher figures = FIGURES.matcher(output);
            if (!figures.find()) {
                return Optional.empty();
            }
            List<Double> all = FIGURE.matcher(figures.group())
                    .results()
                    .map(each -> Double.valueOf(each.group(1)))
                    .toList();
            return Optional.of(new Run(all.get(0), new Latency(all.get(3) * 1_000, all.get(5) * 1_000)));
        }
    }

    private final RedisServer server;
    private final Scenario scenario;

    RedisBenchmark(RedisServer server, Scenario scenario) {
        this.server = server;
        this.scenario = scenario;
    }

    /** Returns the version of the tool on the PATH; empty if there is none. */
    static Optional<String> version() {
        return ChildProcess.output(TOOL, "--version");
    }

    Turn turn(String contender, Settings.Length length) throws BenchFailure {
        List<String> command = command(contender);
        long requests = LEAST_REQUESTS;
        for (int i = 0; i < length.warmupIterations(); i++) {
            requests = inASecond(run(contender, command, requests));
        }
        String before = server.command("INFO", "all");
        long sent = 0;
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < length.iterations(); i++) {
            runs.add(run(contender, command, requests));
            sent += requests;
        }
        String after = server.command("INFO", "all");
        Effort spent = Effort.of(sent, 0, 0, after).since(Effort.of(0, 0, 0, before));
        double opsPerSecond =
                runs.stream().mapToDouble(Run::opsPerSecond).average().orElseThrow();
        OverAStore store = new OverAStore(
                Latency.median(runs.stream().map(Run::latency).toList()),
                Optional.empty(),
                spent.storeNanos() / sent,
                (double) spent.scripts() / sent,
                (double) spent.scriptMicros() / Math.max(1, spent.scripts()),
                errors(after) - errors(before));
        return new Turn(
                runs.stream().map(Run::opsPerSecond).toList(),
                Double.NaN,
                Double.NaN,
                contender.equals(SCRIPT) ? Math.min(1, scenario.permitsPerSecond() / opsPerSecond) : 1,
                Optional.of(store));
    }

    /**
     * Returns the command to run. The tool of Redis 7.0 cuts an argument at its first zero byte. Our arguments contain
     * many, so the argument becomes part of the script.
     */
    private List<String> command(String contender) {
        if (contender.equals(SCRIPT)) {
            SentScript script = SentScript.watch(server, scenario);
            return List.of("EVALSHA", script.loadWithArgument(server), "1", script.key());
        }
        return List.of("INCR", Keys.of(scenario.accounts().get(0).text().of(0)));
    }

    private static long inASecond(Run run) {
        return Math.max(LEAST_REQUESTS, Math.round(run.opsPerSecond() * Settings.ITERATION_SECONDS));
    }

    private Run run(String contender, List<String> command, long requests) throws BenchFailure {
        List<String> all = new ArrayList<>(List.of(TOOL, "--csv", "-h", "127.0.0.1"));
        all.addAll(List.of("-p", Integer.toString(server.port()), "-n", Long.toString(requests)));
        all.addAll(List.of("-P", Integer.toString(TOGETHER)));
        all.addAll(List.of("-c", Integer.toString(scenario.inFlight() / TOGETHER)));
        all.addAll(command);
        return ChildProcess.output(all.toArray(String[]::new))
                .flatMap(Run::parse)
                .orElseThrow(() -> new BenchFailure(contender + ": " + TOOL + " failed (expected: measurements)"));
    }

    private static long errors(String info) {
        Matcher errors = ERRORS.matcher(info);
        return errors.find() ? Long.parseLong(errors.group(1)) : 0;
    }
}
