package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.testkit.server.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slow clients are cut, each for what it is slow at. The time limits are far apart. */
class SlowClientsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration DRIP = Duration.ofMillis(50);

    /**
     * Clients that must be cut are cut after this time. Those that must not be are watched for several times as long.
     */
    private static final Duration SLOWEST = Duration.ofMillis(500);

    /** The first handshake in a JVM takes long. */
    private static final Duration SLOWEST_OF_TLS = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        service = TestService.start(
                directory, settings -> settings.withClients(ClientSettings.DEFAULT.withSlowest(SLOWEST)));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Sends a piece now and then until the other side cuts the connection. */
    private static void dripUntilCut(RawClient client, byte... piece) {
        await().atMost(LONG).pollInterval(DRIP).until(() -> !client.trySend(piece));
    }

    @Test
    void headerThatDrips_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("GET /health/live HTTP/1.1\r\nHost: a\r\n");

            dripUntilCut(client, (byte) 'a');
            assertThat(client.all()).doesNotContain("200");
        }
    }

    @Test
    void headerThatStops_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("GET /health/live HTTP/1.1\r\nHost: a\r\nX: ");

            assertThat(client.all()).isEmpty();
        }
    }

    @Test
    void secondHeaderThatDrips_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            client.until("{\"status\":\"live\"}");
            client.send("GET /health");

            dripUntilCut(client, (byte) 'a');
        }
    }

    @Test
    void bodyThatDrips_isAnsweredWith408_andCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{");

            dripUntilCut(client, (byte) ' ');
        }
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{");

            assertThat(client.all()).startsWith("HTTP/1.1 408").contains("application/problem+json");
        }
    }

    @Test
    void chunksThatDrip_areCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");

            await().atMost(LONG)
                    .pollInterval(DRIP)
                    .until(() -> !client.trySend("1\r\n \r\n".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @Test
    void headerFramesThatDrip_areCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            client.send(Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_STREAM, 1, Http2Bytes.get("/health/live")));

            assertThat(statusOfAll(client)).as("an answer").isFalse();
        }
    }

    @Test
    void frameThatDrips_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            byte[] frame = Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[8]);
            client.send(Arrays.copyOf(frame, 10));

            assertThat(statusOfAll(client)).isFalse();
        }
    }

    /** Reads to the end. Returns true if there was an answer to a request. */
    private static boolean statusOfAll(RawClient client) throws IOException {
        boolean answered = false;
        for (Http2Bytes.Frame frame = Http2Bytes.next(client.in());
                frame != null;
                frame = Http2Bytes.next(client.in())) {
            answered |= frame.type() == Http2Bytes.HEADERS;
        }
        return answered;
    }

    /** Between requests a client may be silent, or keep its connection alive with pings, until the idle timeout. */
    @Test
    void connectionsBetweenRequests_areLeftAlone() throws Exception {
        try (RawClient first = RawClient.to(service.port());
                RawClient second = RawClient.to(service.port());
                RawClient fresh = RawClient.to(service.port())) {
            first.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            first.until("{\"status\":\"live\"}");
            second.send(Http2Bytes.hello());
            byte[] ping = Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[8]);
            await().atMost(LONG).pollDelay(SLOWEST.multipliedBy(4)).until(() -> {
                second.send(ping);
                return true;
            });

            first.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(first.until("{\"status\":\"live\"}")).startsWith("HTTP/1.1 200");
            fresh.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(fresh.until("{\"status\":\"live\"}")).startsWith("HTTP/1.1 200");
            second.send(Http2Bytes.frame(
                    Http2Bytes.HEADERS,
                    Http2Bytes.END_STREAM | Http2Bytes.END_HEADERS,
                    1,
                    Http2Bytes.get("/health/live")));
            Http2Bytes.Frame frame = Http2Bytes.next(second.in());
            while (frame != null && frame.type() != Http2Bytes.HEADERS) {
                frame = Http2Bytes.next(second.in());
            }
            assertThat(frame).as("the answer").isNotNull();
        }
    }

    @Test
    void idleConnection_isClosed() throws Exception {
        service.close();
        service = TestService.start(
                directory, settings -> settings.withClients(ClientSettings.DEFAULT.withIdle(Duration.ofMillis(300))));
        try (RawClient client = RawClient.to(service.port())) {
            assertThat(client.all()).isEmpty();
        }
    }

    @Test
    void handshakeThatStops_isCut() throws Exception {
        TlsIdentity identity = TlsIdentity.create(directory, "own");
        service.close();
        service = TestService.start(
                directory,
                settings -> settings.withClients(ClientSettings.DEFAULT.withSlowest(SLOWEST_OF_TLS))
                        .withTls(new TlsSettings(identity.certificate(), identity.key(), null)));
        try (RawClient silent = RawClient.to(service.port());
                RawClient begun = RawClient.to(service.port())) {
            begun.send((byte) 22, (byte) 3, (byte) 1, (byte) 1, (byte) 0, (byte) 1); // the start of a hello

            assertThat(silent.all()).isEmpty();
            begun.all();
        }
        try (RawClient slow =
                new RawClient(Trust.in(identity).getSocketFactory().createSocket("127.0.0.1", service.port()))) {
            slow.send("GET /health/live HTTP/1.1\r\nHost: a\r\n");
            assertThat(slow.all()).isEmpty();
        }
        try (RawClient fine =
                new RawClient(Trust.in(identity).getSocketFactory().createSocket("127.0.0.1", service.port()))) {
            fine.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(fine.all()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void clientThatNeverReads_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.server().metricsPort())) {
            byte[] many = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    .repeat(100)
                    .getBytes(StandardCharsets.US_ASCII);

            await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> !client.trySend(many));
        }
        assertThat(service.check("ann")).isTrue();
    }
}
