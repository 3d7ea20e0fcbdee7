package dev.penstock.server.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.server.Server;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.observe.PolicyLabels;
import dev.penstock.observe.Tail;
import dev.penstock.server.internal.net.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client of the live stream that does not read. */
class TailServiceIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A long text, so that a few lines fill all buffers. */
    private static final String LONG_REGION = "x".repeat(10_000);

    private final Tail tail = new Tail(PolicyLabels.NONE, LONG_REGION);
    private final Limiter limiter = Limiter.builder(
                    Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user")))
            .listener(tail)
            .build();

    private TailService service;
    private Server server;

    private void start(int patientLooks) {
        service = new TailService(tail, patientLooks);
        server = TestServers.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service("/decisions", service)
                .idleTimeoutMillis(0)
                .gracefulShutdownTimeout(Duration.ofMillis(100), Duration.ofHours(1))
                .build();
        server.start().join();
    }

    @AfterEach
    void stop() {
        service.close();
        server.stop().join();
        limiter.close();
    }

    private Socket looker() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.activeLocalPort()));
        socket.getOutputStream()
                .write("GET /decisions HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void decide(String user) {
        for (int i = 0; i < 1_000; i++) {
            limiter.decide(Request.of("user", user));
        }
    }

    private boolean hasRoom() {
        try {
            tail.follow((request, decision) -> false).close();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The stream stops when the buffers of the network are full. The client must then make room for others. */
    @Test
    void clientThatReadsNothing_isCut() throws IOException {
        start(5);
        for (int i = 1; i < Tail.MOST; i++) {
            tail.follow((request, decision) -> false);
        }
        try (Socket socket = looker()) {
            await().atMost(LONG).until(() -> !hasRoom());
            await().atMost(LONG).until(() -> {
                decide("ann");
                return hasRoom();
            });
            assertThat(socket.isConnected()).isTrue();
        }
    }

    @Test
    void clientThatReadsNothing_doesNotDelayTheShutdown() throws IOException {
        start(Integer.MAX_VALUE);
        try (Socket socket = looker()) {
            await().during(Duration.ofSeconds(2))
                    .atMost(LONG)
                    .until(
                            () -> { // some megabytes
                                decide("ann");
                                return true;
                            });
            service.close();

            assertThat(server.stop()).succeedsWithin(LONG);
            assertThat(socket.isConnected()).isTrue();
        }
    }

    @Test
    void clientWithoutEvents_isNotCut() throws IOException {
        start(5);
        try (Socket socket = looker()) {
            await().during(Duration.ofSeconds(1)).atMost(LONG).until(() -> server.numConnections() == 1);
            decide("ann");
            byte[] told = new byte[1_000];
            assertThat(socket.getInputStream().readNBytes(told, 0, told.length)).isEqualTo(told.length);
            assertThat(new String(told, StandardCharsets.UTF_8)).contains("\"key\":[\"ann\"]");
        }
    }
}
