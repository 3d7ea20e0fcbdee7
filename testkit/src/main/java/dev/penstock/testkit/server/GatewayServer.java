package dev.penstock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A gateway that is installed on this machine, such as nginx, in a separate process on a port of the loopback address.
 * Thread-safe.
 */
public final class GatewayServer implements LocalServer {
    /** The placeholder for the gateway's port in its files. */
    public static final String PORT = "{port}";

    private static final String REQUIRED = "penstock.gateways.required";

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> BESIDE_PATH = List.of("/usr/sbin", "/usr/local/sbin");

    private final ServerDirectory directory;
    private final int port;
    private final Process process;

    private GatewayServer(ServerDirectory directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /**
     * Returns true if the machine has the program, on the PATH or in the usual directories for servers. Tests are skipped
     * if it has not.
     *
     * @throws AssertionError if it has not, and {@code -Dpenstock.gateways.required=true} is set, as in CI
     */
    public static boolean has(String program) {
        boolean found = places(program).anyMatch(Files::isExecutable);
        if (!found && Boolean.getBoolean(REQUIRED)) {
            throw new AssertionError(
                    program + ": not installed (expected: on the PATH, because of -D" + REQUIRED + ")");
        }
        return found;
    }

    private static Stream<Path> places(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), BESIDE_PATH.stream())
                .map(directory -> Path.of(directory, program));
    }

    /**
     * Writes the files into a new directory, starts the program there, and waits until it accepts connections.
     *
     * @param files the contents by file name, with {@value #PORT} for the port to listen on
     * @param arguments the arguments of the program
     */
    public static GatewayServer start(String program, Map<String, String> files, String... arguments) {
        Path binary = places(program).filter(Files::isExecutable).findFirst().orElseThrow();
        ServerDirectory directory = ServerDirectory.create();
        int port = LoopbackPort.draw();
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = directory.path().resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue().replace(PORT, Integer.toString(port)), StandardCharsets.UTF_8);
            }
            Process process = new ProcessBuilder(Stream.concat(Stream.of(binary.toString()), Stream.of(arguments))
                            .toList())
                    .directory(directory.path().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.log().toFile())
                    .start();
            GatewayServer server = new GatewayServer(directory, port, process);
            ServersLeft.add(server);
            server.awaitConnections();
            return server;
        } catch (IOException e) {
            directory.delete();
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the port on which the gateway accepts connections. */
    public int port() {
        return port;
    }

    private void awaitConnections() {
        try {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> !process.isAlive() || accepts());
        } catch (ConditionTimeoutException e) {
            throw failure("silent for " + PATIENCE.toSeconds() + " s");
        }
        if (!process.isAlive()) {
            throw failure("ended with status " + process.exitValue());
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(LoopbackPort.address(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private IllegalStateException failure(String what) {
        String log = directory.logTail();
        close();
        return new IllegalStateException(what + " (expected: connections on port " + port + "); its output:\n" + log);
    }

    /** Stops the process and its child processes, and deletes its directory. Further calls have no effect. */
    @Override
    public void close() {
        List<ProcessHandle> workers = process.descendants().toList();
        process.destroy();
        workers.forEach(ProcessHandle::destroy);
        process.onExit().join();
        directory.delete();
        ServersLeft.remove(this);
    }
}
