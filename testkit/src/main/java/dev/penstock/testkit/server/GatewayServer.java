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
 * A gateway that this machine has, such as nginx, in a process of its own on a port of the loopback address. Thread-safe.
 */
public final class GatewayServer implements LocalServer {
    /** Stands for the gateway's port in its files. */
    public static final String PORT = "{port}";

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

    /** Whether the machine has the program, on the PATH or where servers usually are. */
    public static boolean has(String program) {
        return places(program).anyMatch(Files::isExecutable);
    }

    private static Stream<Path> places(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), BESIDE_PATH.stream())
                .map(directory -> Path.of(directory, program));
    }

    /**
     * Writes the files into a new directory, starts the program there, and waits until it takes connections.
     *
     * @param files what is in each by its name, with {@value #PORT} for the port to listen on
     * @param arguments of the program
     */
    public static GatewayServer start(String program, Map<String, String> files, String... arguments) {
        Path binary = places(program).filter(Files::isExecutable).findFirst().orElseThrow();
        ServerDirectory directory = ServerDirectory.create();
        int port = LoopbackPort.draw();
        try {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(
                        directory.path().resolve(file.getKey()),
                        file.getValue().replace(PORT, Integer.toString(port)),
                        StandardCharsets.UTF_8);
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
        return new IllegalStateException(what + " (expected: connections on port " + port + "); it said:\n" + log);
    }

    /** Ends the process, and those that it started, and deletes its directory. Does nothing when called again. */
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
