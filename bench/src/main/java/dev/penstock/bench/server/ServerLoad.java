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
import org.jspecify.annotations.Nullable;

/** Sends requests to one service over one protocol, with the generator that supports it. Not thread-safe. */
final class ServerLoad implements AutoCloseable {
    static final int IN_FLIGHT = 128;

    private final Wire wire;
    private final int port;
    private final Path directory;

    /** The file that h2load reads. It is created only when needed, because changing it takes much of a processor. */
    private @Nullable ChangingBody body;

    /**
     * Creates the load.
     *
     * @param directory contains the script; files may be written there
     */
    ServerLoad(Wire wire, int port, Path directory) {
        this.wire = wire;
        this.port = port;
        this.directory = directory;
    }

    private Path body() throws BenchFailure {
        ChangingBody started = body;
        if (started == null) {
            started = ChangingBody.start(wire, directory.resolve("body"));
            body = started;
        }
        return started.file();
    }

    /** Sends as fast as the service answers. */
    LoadRun run(int seconds) throws BenchFailure {
        return wire == Wire.HTTP1
                ? figures(Wrk.command(wire, port, seconds, directory.resolve(Wrk.SCRIPT)), Wrk::parse)
                : figures(H2load.command(wire, port, seconds, body()), H2load::parse);
    }

    /** Measures the latency at this rate. */
    Latency latency(double perSecond, int seconds) throws BenchFailure {
        Path times = directory.resolve("times");
        LoadRun run = figures(H2load.paced(wire, port, seconds, body(), perSecond, times), H2load::parse);
        try {
            List<String> lines = Files.readAllLines(times);
            return H2load.latency(lines)
                    .orElseThrow(() -> new BenchFailure(
                            wire.caseName() + ": an answer was an error (expected: none of " + run.answers() + ")"));
        } catch (IOException e) {
            throw new BenchFailure("the times of the requests could not be read", e);
        }
    }

    private LoadRun figures(List<String> command, Function<String, Optional<LoadRun>> parser) throws BenchFailure {
        return ChildProcess.output(command.toArray(String[]::new))
                .flatMap(parser)
                .orElseThrow(() -> new BenchFailure(
                        wire.caseName() + ": " + command.get(0) + " failed (expected: measurements; " + command + ")"));
    }

    @Override
    public void close() {
        if (body != null) {
            body.close();
        }
    }
}
