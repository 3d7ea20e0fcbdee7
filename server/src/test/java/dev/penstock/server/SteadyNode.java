package dev.penstock.server;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;

/** The test's side of a {@link SteadyChild}: a process that can be called and stopped. Thread-safe. */
final class SteadyNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A long timeout, because a test that waits for a processor does not mean that the service fails. */
    private final ClientFactory connections =
            ClientFactory.builder().connectTimeout(PATIENCE).build();

    private final Process process;
    private final int port;
    private final WebClient admin;
    private final WebClient http1;
    private final WebClient http2;

    private SteadyNode(Process process, int port, int adminPort) {
        this.process = process;
        this.port = port;
        this.http1 = client("h1c", port);
        this.http2 = client("h2c", port);
        this.admin = client("h1c", adminPort);
    }

    private WebClient client(String protocol, int to) {
        return WebClient.builder(protocol + "://127.0.0.1:" + to)
                .factory(connections)
                .responseTimeout(PATIENCE)
                .writeTimeout(PATIENCE)
                .build();
    }

    /** Starts a service and waits until it is ready. */
    static SteadyNode start(Path policies, String redis) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            SteadyChild.class.getName(),
                            policies.toString(),
                            redis)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (line == null) {
                throw new IllegalStateException("the service ended (expected: its ports)");
            }
            String[] ports = line.split(" ", -1);
            SteadyNode node = new SteadyNode(process, Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
            Awaitility.await().atMost(PATIENCE).until(node::isReady);
            return node;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return port;
    }

    WebClient http1() {
        return http1;
    }

    WebClient http2() {
        return http2;
    }

    /** Returns true if {@code /health/ready} answers 200 on the main port. */
    boolean isReady() {
        try {
            return http1.get("/health/ready").aggregate().join().status().code() == 200;
        } catch (CompletionException e) { // nothing listens
            return false;
        }
    }

    /** Returns the value of a metric without labels. */
    double metric(String name) {
        AggregatedHttpResponse metrics = admin.get("/metrics").aggregate().join();
        return metrics.contentUtf8()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + ": not among the metrics"));
    }

    /** Sends a signal, such as {@code STOP} or {@code CONT}. */
    void signal(String name) throws Exception {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .onExit()
                .get();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        connections.close();
    }
}
