package dev.penstock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real Redis server in a separate process, on a port of the loopback address and without data on disk, which a test
 * can kill, pause and restart. It runs the binary in the system property {@code penstock.redis}, or the one on the
 * class path. Thread-safe.
 */
public final class RedisServer implements LocalServer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL_PATIENCE = Duration.ofMillis(250);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final int PORTS_TRIED = 10;

    private final Path binary;
    private final ServerDirectory directory;
    private final int port;
    private final List<String> config;
    private volatile Process process;
    private volatile boolean closed;

    private RedisServer(Path binary, ServerDirectory directory, int port, List<String> config) {
        this.binary = binary;
        this.directory = directory;
        this.port = port;
        this.config = config;
        process = launch();
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param config additional arguments of the server, such as {@code "--maxmemory", "2mb"}
     */
    public static RedisServer start(String... config) {
        return start(LoopbackPort::draw, config);
    }

    /** Returns true if this machine has Valkey, by the environment variable {@code PENSTOCK_VALKEY} or on the PATH. */
    public static boolean hasValkey() {
        return RedisBinary.valkey(System::getenv) != null;
    }

    /** Starts Valkey instead of Redis. Requires {@link #hasValkey()}. */
    public static RedisServer startValkey(String... config) {
        Path binary = RedisBinary.valkey(System::getenv);
        if (binary == null) {
            throw new IllegalStateException("valkey-server: not on the PATH (expected: on the PATH, or its path in "
                    + RedisBinary.VALKEY_VARIABLE + ")");
        }
        return start(binary, LoopbackPort::draw, config);
    }

    /** Starts a server on the first of these ports that is free. */
    static RedisServer start(IntSupplier ports, String... config) {
        return start(RedisBinary.path(), ports, config);
    }

    private static RedisServer start(Path binary, IntSupplier ports, String... config) {
        IllegalStateException taken =
                new IllegalStateException("none of " + PORTS_TRIED + " ports (expected: a free one)");
        for (int i = 0; i < PORTS_TRIED; i++) {
            RedisServer server = launched(binary, ports.getAsInt(), List.of(config));
            ServersLeft.add(server);
            boolean up = false;
            try {
                server.awaitAnswer();
                up = true;
                return server;
            } catch (IllegalStateException e) {
                if (!server.isPortTaken()) {
                    throw e;
                }
                taken.addSuppressed(e);
            } finally {
                if (!up) {
                    server.close();
                }
            }
        }
        throw taken;
    }

    /** Returns the port on which the server accepts connections. */
    public int port() {
        return port;
    }

    /** Returns the address of the server: {@code redis://127.0.0.1:PORT}. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Also listens with TLS until the next restart. Returns the address: {@code rediss://127.0.0.1:PORT}. */
    public String serveTls(TlsIdentity own) {
        return serveTls(own, own, "no");
    }

    /** Also listens with TLS, but only for clients that present this certificate. */
    public String serveTls(TlsIdentity own, TlsIdentity client) {
        return serveTls(own, client, "yes");
    }

    private String serveTls(TlsIdentity own, TlsIdentity client, String ask) {
        int tlsPort = LoopbackPort.draw();
        command(
                "CONFIG",
                "SET",
                "tls-cert-file",
                own.certificate().toString(),
                "tls-key-file",
                own.key().toString(),
                "tls-ca-cert-file",
                client.certificate().toString(),
                "tls-auth-clients",
                ask,
                "tls-port",
                Integer.toString(tlsPort));
        return "rediss://127.0.0.1:" + tlsPort;
    }

    /** Returns the id of the process, even after a {@link #kill()}. */
    public long pid() {
        return process.pid();
    }

    /** Returns true if the process exists, even if it is paused. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Sends one command on a separate connection and returns the reply: the elements of an array each on a line, null
     * as {@code (nil)}.
     *
     * @throws IllegalStateException if the server answers with an error, whose text is the message
     * @throws UncheckedIOException if the server does not answer within ten seconds or does not run
     */
    public String command(String... args) {
        try (RespConnection connection = RespConnection.open(port, PATIENCE)) {
            return connection.command(args);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process (SIGKILL). Its clients find their connections closed. */
    public synchronized void kill() {
        end(process);
    }

    /** Pauses the process (SIGSTOP). The system still accepts connections for it, but nothing answers. */
    public synchronized void pause() {
        signal("STOP");
    }

    /** Continues the process after a {@link #pause()} (SIGCONT). */
    public synchronized void resume() {
        signal("CONT");
    }

    /** Kills the process and starts another on the same port with the same arguments, but without keys. */
    public synchronized void restart() {
        expectOpen();
        end(process);
        directory.forgetKeys();
        process = launch();
        if (closed) {
            end(process);
        }
        awaitAnswer();
    }

    /** Stops the process and deletes its directory. Further calls have no effect. */
    @Override
    public void close() {
        closed = true;
        end(process);
        directory.delete();
        ServersLeft.remove(this);
    }

    private static RedisServer launched(Path binary, int port, List<String> config) {
        ServerDirectory directory = ServerDirectory.create();
        try {
            return new RedisServer(binary, directory, port, config);
        } catch (UncheckedIOException e) {
            directory.delete();
            throw e;
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        command.add(directory.config().toString());
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of("--dir", directory.path().toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no", "--daemonize", "no"));
        command.addAll(config);
        try {
            return new ProcessBuilder(command)
                    .directory(directory.path().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitAnswer() {
        Process started = process;
        try {
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL_INTERVAL)
                    .until(() -> !started.isAlive() || answers(started));
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(failure("silent for " + PATIENCE.toSeconds() + " s"), e);
        }
        if (!started.isAlive()) {
            throw new IllegalStateException(failure("ended with status " + started.exitValue()));
        }
    }

    /** Returns true if this process answers on the port, and not another server that took the port first. */
    private boolean answers(Process expected) {
        try (RespConnection connection = RespConnection.open(port, POLL_PATIENCE)) {
            return connection.command("PING").equals("PONG")
                    && connection.command("INFO", "server").lines().anyMatch(("process_id:" + expected.pid())::equals);
        } catch (IOException e) {
            return false;
        } catch (IllegalStateException e) {
            // A server that requires a password is up. One that answers LOADING is not.
            return String.valueOf(e.getMessage()).startsWith("NOAUTH");
        }
    }

    private boolean isPortTaken() {
        return directory.logTail().contains("Failed listening on port");
    }

    private String failure(String what) {
        return "redis-server on port " + port + " with " + config + ": " + what
                + " (expected: an answer to PING); its log ends:\n" + directory.logTail();
    }

    private void expectOpen() {
        if (closed) {
            throw new IllegalStateException("redis-server on port " + port + ": closed (expected: open)");
        }
    }

    /** Uses the shell's built-in kill, because not every system has it as a program. */
    private void signal(String name) {
        expectOpen();
        if (!process.isAlive()) {
            throw new IllegalStateException("redis-server on port " + port + ": ended (expected: alive)");
        }
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int status = kill.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException("kill -" + name + ": status " + status + " (expected: 0)");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Process process) {
        process.destroyForcibly().onExit().join();
    }
}
