package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.testkit.server.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the behavior of a service process towards its operators. */
class ServeProcessIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String EXAMPLES =
            Path.of("../examples/public-api.yaml").toString();

    @TempDir
    Path directory;

    @Test
    void term_exitsWithTheStatusInTheHelp() throws Exception {
        try (ServeProcess serving = ServeProcess.start(directory, "--policies", EXAMPLES)) {
            await().atMost(LONG).until(() -> HttpStatus.of(serving.address() + "/health/ready") == 200);

            assertThat(Run.of("serve", "--help").out())
                    .containsPattern("\n +" + serving.terminate() + " +Stopped by SIGTERM");
        }
    }

    /** Sends the signal while the service waits for an unresponsive Redis. The files must be reloaded afterwards. */
    @Test
    void hangup_beforeItServes_isKept() throws Exception {
        Path policies = Files.copy(Path.of(EXAMPLES), directory.resolve("p.yaml"));
        try (ServerSocket silent = new ServerSocket(0);
                ServeProcess serving = ServeProcess.start(
                        directory,
                        "--policies",
                        policies.toString(),
                        "--redis",
                        "redis://127.0.0.1:" + silent.getLocalPort());
                Socket waiting = acceptedBy(silent)) {
            assertThat(waiting.isConnected()).isTrue();
            Files.writeString(policies, "version: 1\nplans: 5\n");
            serving.hangUp();

            assertThat(HttpStatus.of(serving.address() + "/health/live")).isEqualTo(200);
            await().atMost(LONG).until(() -> serving.log().contains("p.yaml:2:8 plans: 5 (expected: "));
            assertThat(serving.isAlive()).isTrue();
        }
    }

    /** Armeria logs advice about a missing decorator. This gives it a whole second to do so. */
    @Test
    void log_hasNoAdviceToProgrammers() throws Exception {
        try (ServeProcess serving = ServeProcess.start(
                directory, "--policies", EXAMPLES, "--drain-delay", "1s", "--warm-up-at-most", "0")) {
            assertThat(HttpStatus.of(serving.address() + "/assets/nothing")).isEqualTo(404);
            serving.terminate();

            assertThat(serving.log()).isEmpty();
        }
    }

    /** Anyone who can connect could otherwise fill the disk with log lines. */
    @Test
    void failedHandshakes_areLoggedOnce() throws Exception {
        TlsIdentity own = TlsIdentity.create(directory, "own");
        try (ServeProcess serving = ServeProcess.start(
                directory,
                "--policies",
                EXAMPLES,
                "--tls-certificate",
                own.certificate().toString(),
                "--tls-key",
                own.key().toString(),
                "--warm-up-at-most",
                "0")) {
            int port = URI.create(serving.address()).getPort();
            for (int i = 0; i < 5; i++) {
                failHandshake(port);
            }
            await().atMost(LONG).until(() -> serving.log().contains("handshake"));
            serving.terminate();

            assertThat(serving.log().lines().filter(line -> line.contains("WARN")))
                    .singleElement()
                    .asString()
                    .contains("tls: a handshake failed");
        }
    }

    private static Socket acceptedBy(ServerSocket server) throws IOException {
        server.setSoTimeout((int) LONG.toMillis());
        return server.accept();
    }

    private static void failHandshake(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (socket.getInputStream().read() >= 0) {
                // until it closes
            }
        } catch (IOException e) { // a reset is also a close
        }
    }
}
