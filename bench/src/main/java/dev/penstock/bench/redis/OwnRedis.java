package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.JavaProcess;
import dev.penstock.bench.harness.Measure;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Runs a case on servers that the benchmark starts and empties before each turn. A {@link Probe} measures; this class
 * checks the result.
 */
record OwnRedis(Scenario scenario, OwnServers own) implements Measure {
    @Override
    public Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure {
        List<RedisServer> servers = own.of(scenario);
        servers.forEach(server -> server.command("FLUSHALL"));
        Turn turn = RedisBenchmark.CONTENDERS.contains(contender.name())
                ? new RedisBenchmark(own.redis(), scenario).turn(contender.name(), length)
                : probed(contender, Nodes.of(servers), length, log);
        check(
                contender.name() + ": errors",
                turn.overAStore().errors(),
                turn.overAStore().errors() == 0,
                "none");
        long keys = servers.stream()
                .mapToLong(server -> Long.parseLong(server.command("DBSIZE")))
                .sum();
        check(
                contender.name() + ": keys in Redis",
                keys,
                keys >= scenario.keysAfterwards(),
                scenario.keysAfterwards() + " or more");
        return turn;
    }

    private Turn probed(Contender contender, Nodes nodes, Settings.Length length, PrintStream log) throws BenchFailure {
        List<String> arguments = List.of(
                scenario.caseName(),
                contender.name(),
                nodes.toString(),
                Integer.toString(length.warmupIterations()),
                Integer.toString(length.iterations()));
        return TurnText.read(JavaProcess.run(Probe.class, Settings.JVM_ARGUMENTS, arguments, log));
    }

    private void check(String what, long value, boolean isGood, String expected) throws BenchFailure {
        if (!isGood) {
            throw new BenchFailure(scenario.caseName() + " " + what + ": " + value + " (expected: " + expected
                    + "; see bench/target/bench.log)");
        }
    }

    @Override
    public String figure(Turn turn) {
        return String.format(
                Locale.ROOT,
                "%,9.0f/s  p50 %6.0f us  p99 %6.0f us  allowed %3.0f %%  errors %d",
                turn.meanOpsPerSecond(),
                turn.overAStore().latency().p50Micros(),
                turn.overAStore().latency().p99Micros(),
                turn.allowedShare() * 100,
                turn.overAStore().errors());
    }
}
