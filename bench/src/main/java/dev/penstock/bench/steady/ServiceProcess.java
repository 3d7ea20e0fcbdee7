package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A service in a separate process, started by {@code ./penstock serve} as users do, with default settings. Only its
 * ports, policies and Redis are chosen, and no audit file is written. Not thread-safe, except for
 * {@link #isInFallback()} and {@link #isReady()}.
 */
public final class ServiceProcess implements AutoCloseable {
    /** The variable with the token of the admin port. If it is set, calls to that port send it. */
    public static final String TOKEN_VARIABLE = "PENSTOCK_ADMIN_TOKEN";

    private static final Pattern SERVING = Pattern.compile("serving\\s+https?://[^:]+:(\\d+)");
    private static final Pattern METRICS = Pattern.compile("metrics\\s+https?://[^:]+:(\\d+)/metrics");
    private static final List<String> NICE = List.of("nice", "-n", "10");
    private static final int PATIENCE_SECONDS = 90;
    private static final int ANSWER_MILLIS = 30_000;
    private static final long READY_POLL_NANOS = 10_000_000;

    private final Process process;
    private final int port;
    private final int adminPort;
    private final @Nullable String token;
    private final double secondsToReady;

    private ServiceProcess(Process process, int port, int adminPort, @Nullable String token, long startNanos)
            throws BenchFailure {
        this.process = process;
        this.port = port;
        this.adminPort = adminPort;
        this.token = token;
        awaitReady();
        this.secondsToReady = (System.nanoTime() - startNanos) / 1e9;
    }

    /**
     * Starts a service and waits until {@code /health/ready} returns 200.
     *
     * @param environment additional environment variables
     * @param log the file to which its output is appended
     */
    public static ServiceProcess start(
            Path root, Path policies, String redis, Map<String, String> environment, Path log) throws BenchFailure {
        return start(List.of(), root, policies, redis, environment, log);
    }

    /** Starts a service with a lower priority than other processes, such as Redis, for machines with few processors. */
    public static ServiceProcess startNice(
            Path root, Path policies, String redis, Map<String, String> environment, Path log) throws BenchFailure {
        return start(NICE, root, policies, redis, environment, log);
    }

    private static ServiceProcess start(
            List<String> prefix, Path root, Path policies, String redis, Map<String, String> environment, Path log)
            throws BenchFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(root.resolve("penstock").toString(), "serve"));
        command.addAll(List.of("--policies", policies.toString(), "--redis", redis));
        command.addAll(List.of("--port", "0", "--admin-port", "0", "--admin-audit-file", "off"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("PENSTOCK_NO_BUILD", "true");
        long startNanos = System.nanoTime();
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new BenchFailure("penstock serve could not be started", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        CompletableFuture<Integer> main = new CompletableFuture<>();
        CompletableFuture<Integer> admin = new CompletableFuture<>();
        Thread reader = new Thread(() -> copy(process, log, main, admin), "service-output");
        reader.setDaemon(true);
        reader.start();
        try {
            String token = environment.get(TOKEN_VARIABLE);
            return new ServiceProcess(process, port(main), port(admin), token, startNanos);
        } catch (BenchFailure e) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw e;
        }
    }

    private static int port(CompletableFuture<Integer> told) throws BenchFailure {
        try {
            return told.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new BenchFailure("penstock serve named no port (see bench/target/bench.log)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }

    private static void copy(
            Process process, Path log, CompletableFuture<Integer> main, CompletableFuture<Integer> admin) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                find(SERVING, line, main);
                find(METRICS, line, admin);
            }
        } catch (IOException e) {
            // The process has ended.
        } finally {
            main.completeExceptionally(new IOException("the process terminated"));
            admin.completeExceptionally(new IOException("the process terminated"));
        }
    }

    private static void find(Pattern pattern, String line, CompletableFuture<Integer> found) {
        Matcher matcher = pattern.matcher(line);
        if (matcher.find()) {
            found.complete(Integer.valueOf(matcher.group(1)));
        }
    }

    private void awaitReady() throws BenchFailure {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isReady()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new BenchFailure("penstock serve was not ready in time (see bench/target/bench.log)");
            }
            LockSupport.parkNanos(READY_POLL_NANOS);
        }
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return adminPort;
    }

    /** Returns the time from the start of the process until {@code /health/ready} returned 200. */
    double secondsToReady() {
        return secondsToReady;
    }

    /** Returns true if {@code /health/ready} returns 200 on the main port. */
    public boolean isReady() {
        try {
            get(port, "/health/ready");
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Returns true while failure modes decide instead of the store. */
    boolean isInFallback() {
        return admin("/admin/status").contains("\"up\":false");
    }

    /** Returns the sum of a metric over all of its labels; 0 if there is none. */
    double metric(String name) {
        return metrics().sum(name);
    }

    /** Returns all metrics in their current state. */
    public MetricsText metrics() {
        return new MetricsText(admin("/metrics"));
    }

    /** Returns the maximum heap size of the process, by its own metrics. */
    long maxHeapBytes() {
        return metrics().maxHeapBytes();
    }

    /** Returns the admin port's answer to a GET request. */
    public String admin(String path) {
        return get(adminPort, path);
    }

    /** Returns the peak resident memory of the process; NaN if the system does not report it. */
    public double peakResidentMegabytes() {
        return residentMegabytes("VmHWM:");
    }

    /** Returns the resident memory of the process; NaN if the system does not report it. */
    public double residentMegabytes() {
        return residentMegabytes("VmRSS:");
    }

    private double residentMegabytes(String field) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
                if (line.startsWith(field)) {
                    return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
                }
            }
        } catch (IOException e) {
            return Double.NaN;
        }
        return Double.NaN;
    }

    private String get(int port, String path) {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
            connection.setConnectTimeout(ANSWER_MILLIS);
            connection.setReadTimeout(ANSWER_MILLIS);
            if (token != null && port == adminPort) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            try (var in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pauses the process (SIGSTOP). */
    void pause() throws BenchFailure {
        signal("STOP");
    }

    /** Continues the process (SIGCONT). */
    void resume() throws BenchFailure {
        signal("CONT");
    }

    private void signal(String name) throws BenchFailure {
        try {
            int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            if (status != 0) {
                throw new BenchFailure("kill -" + name + ": status " + status + " (expected: 0)");
            }
        } catch (IOException e) {
            throw new BenchFailure("kill -" + name, e);
        }
    }

    /** Returns true if the process is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Stops the process with SIGTERM. Completes with the time until it has ended. */
    public CompletableFuture<Duration> terminate() {
        long startNanos = System.nanoTime();
        process.destroy();
        return process.onExit().thenApply(ended -> Duration.ofNanos(System.nanoTime() - startNanos));
    }

    /** Stops the process with SIGTERM and waits until it has ended. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
