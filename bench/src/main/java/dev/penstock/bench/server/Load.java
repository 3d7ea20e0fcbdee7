package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Asks one service in one way, with the generator that can. */
final class Load implements AutoCloseable {
    static final int IN_FLIGHT = 128;

    private final Wire wire;
    private final int port;
    private final ChangingBody body;
    private final Path script;
    private final Path times;

    private Load(Wire wire, int port, ChangingBody body, Path directory) {
        this.wire = wire;
        this.port = port;
        this.body = body;
        this.script = directory.resolve(Wrk.SCRIPT);
        this.times = directory.resolve("times");
    }

    /** @param directory where the script is, and where files may be written */
    static Load of(Wire wire, int port, Path directory) throws BenchFailure {
        return new Load(wire, port, ChangingBody.start(wire, directory.resolve("body")), directory);
    }

    /** As fast as it can. */
    LoadRun run(int seconds) throws BenchFailure {
        return wire == Wire.HTTP1
                ? figures(Wrk.command(wire, port, seconds, script), Wrk::parse)
                : figures(H2load.command(wire, port, seconds, body.file()), H2load::parse);
    }

    /** At so many requests a second. */
    Latency latency(double perSecond, int seconds) throws BenchFailure {
        LoadRun run = figures(H2load.paced(wire, port, seconds, body.file(), perSecond, times), H2load::parse);
        try {
            List<String> lines = Files.readAllLines(times);
            return H2load.latency(lines)
                    .orElseThrow(() -> new BenchFailure(
                            wire.caseName() + ": an answer was not good (expected: all of " + run.answers() + ")"));
        } catch (IOException e) {
            throw new BenchFailure("the times of the requests could not be read", e);
        }
    }

    private LoadRun figures(List<String> command, Function<String, Optional<LoadRun>> parser) throws BenchFailure {
        return ChildProcess.output(command.toArray(String[]::new))
                .flatMap(parser)
                .orElseThrow(() -> new BenchFailure(
                        wire.caseName() + ": " + command.get(0) + " failed (expected: figures; " + command + ")"));
    }

    @Override
    public void close() {
        body.close();
    }
}
