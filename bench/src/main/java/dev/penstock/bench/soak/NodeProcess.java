package dev.penstock.bench.soak;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.LineProcess;
import java.nio.file.Path;
import java.util.List;

/** The parent's handle of a {@link SoakNode}. Not thread-safe. */
final class NodeProcess implements AutoCloseable {
    /** Small enough that a leak of a few bytes per request would show. */
    private static final List<String> JVM_ARGUMENTS = List.of("-Xmx256m", "-XX:+UseSerialGC");

    private final LineProcess process;
    private final int port;

    private NodeProcess(LineProcess process) {
        this.process = process;
        this.port = Integer.parseInt(process.first());
    }

    static NodeProcess start(Path policies, String redis, Path log) throws BenchFailure {
        return new NodeProcess(
                LineProcess.start(SoakNode.class, JVM_ARGUMENTS, List.of(policies.toString(), redis), log));
    }

    int port() {
        return port;
    }

    Sample sample(long seconds) throws BenchFailure {
        return Sample.read(process.ask(), seconds);
    }

    /** Stops the node after it has drained. */
    @Override
    public void close() {
        process.close();
    }
}
