package dev.penstock.bench.soak;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A {@link SoakNode} as its parent sees it. Not thread-safe. */
final class NodeProcess implements AutoCloseable {
    /** Small enough that a leak of some bytes a request would show. */
    private static final List<String> JVM_ARGUMENTS = List.of("-Xmx256m", "-XX:+UseSerialGC");

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;
    private final int port;

    private NodeProcess(Process process) throws BenchFailure {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.port = Integer.parseInt(line());
    }

    static NodeProcess start(Path policies, String redis, Path log) throws BenchFailure {
        return new NodeProcess(
                JavaProcess.start(SoakNode.class, JVM_ARGUMENTS, List.of(policies.toString(), redis), log));
    }

    int port() {
        return port;
    }

    Sample sample(long seconds) throws BenchFailure {
        orders.println();
        return Sample.read(line(), seconds);
    }

    private String line() throws BenchFailure {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new BenchFailure("a service ended (see bench/target/bench.log)");
            }
            return line;
        } catch (IOException e) {
            throw new BenchFailure("a service could not be asked", e);
        }
    }

    /** Lets it drain and end. */
    @Override
    public void close() {
        orders.close();
        process.onExit().join();
    }
}
