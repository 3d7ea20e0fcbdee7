package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unfinished requests are bounded, per connection and in the process. */
class UnfinishedRequestsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BUFFER_BYTES = 4 << 20;
    private static final Pattern HELD_BYTES = Pattern.compile("(?m)^rate_limiter_client_buffer_bytes ([0-9.E]+)$");

    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        service = TestService.start(
                directory,
                settings -> settings.withClients(
                        ClientSettings.DEFAULT.withBufferBytes(BUFFER_BYTES).withSlowest(Duration.ofSeconds(3))));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Each stream holds as much as its window allows. One is reset before all could do that. */
    @Test
    void manyStreams_areReset_aboveTheBound() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            for (int i = 0; i < 200; i++) {
                int stream = 2 * i + 1;
                client.trySend(Http2Bytes.frame(
                        Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, stream, Http2Bytes.post("/v1/check")));
                client.trySend(Http2Bytes.frame(Http2Bytes.DATA, 0, stream, new byte[16_384]));
                client.trySend(Http2Bytes.frame(Http2Bytes.DATA, 0, stream, new byte[16_384]));
            }
            expectCalm(client);
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
    }

    /** A request takes memory even if nothing of its body arrives. */
    @Test
    void manyHeadersWithoutBodies_areReset_aboveTheBound() throws Exception {
        byte[] header = Http2Bytes.post("/v1/check");
        for (int i = 0; i < 5; i++) {
            header = Http2Bytes.join(header, Http2Bytes.field("x-long-" + i, "x".repeat(120)));
        }
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            for (int i = 0; i < 990; i++) {
                client.trySend(Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, 2 * i + 1, header));
            }
            expectCalm(client);
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
    }

    /** Many clients that each hold little are cut after a moment, while honest requests pass. */
    @Test
    void manyClientsThatHoldLittle_areCut_aboveTheBoundOfTheProcess() throws Exception {
        service.close();
        service = TestService.start(
                directory,
                settings -> settings.withClients(
                        ClientSettings.DEFAULT.withBufferBytes(100_000).withSlowest(LONG)));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawClient client = RawClient.to(service.port());
                clients.add(client);
                client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nX-Long: " + "x".repeat(8_000)
                        + "\r\n\r\n");
                assertThat(service.check("honest-" + i)).isTrue();
            }
            await().atMost(LONG).until(() -> heldBytes() <= 100_000);
            assertThat(heldBytes()).as("of the clients that came first").isPositive();
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        expectNothingHeld();
    }

    /** Each part of a body takes more memory than its bytes. */
    @Test
    void bodySentByteByByte_isReset_aboveTheBound() throws Exception {
        byte[] one = Http2Bytes.frame(Http2Bytes.DATA, 0, 1, (byte) ' ');
        byte[] part = new byte[1_000 * one.length];
        for (int at = 0; at < part.length; at += one.length) {
            System.arraycopy(one, 0, part, at, one.length);
        }
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            client.send(Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, 1, Http2Bytes.post("/v1/check")));
            for (int i = 0; i < 20 && client.trySend(part); i++) {
                // continue
            }
            expectCalm(client);
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
    }

    @Test
    void bodySentInChunksOfOneByte_isRefused_aboveTheBound() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] part = "1\r\n \r\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 20 && client.trySend(part); i++) {
                // continue
            }
            assertThat(client.all()).startsWith("HTTP/1.1 503");
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
    }

    /** Neither a part of a header nor a header without its body is free. */
    @Test
    void unfinishedHeaders_areCounted() throws Exception {
        int clientCount = 20;
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < clientCount; i++) {
                RawClient client = RawClient.to(service.port());
                clients.add(client);
                String end = i % 2 == 0 ? "" : "\r\nContent-Length: 10\r\n\r\n";
                client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(8_000) + end);
            }
            await().atMost(LONG).until(() -> heldBytes() >= clientCount * 8_000);
            assertThat(service.check("honest")).isTrue();
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        expectNothingHeld();
    }

    /** The process has room for more, but one connection has not. */
    @Test
    void oneConnection_isResetAboveItsOwnBound() throws Exception {
        service.close();
        service = TestService.start(
                directory, settings -> settings.withClients(ClientSettings.DEFAULT.withBufferBytes(1 << 30)));
        byte[] body = new byte[16_384];
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            for (int i = 0; i < 900; i++) {
                int stream = 2 * i + 1;
                client.trySend(Http2Bytes.join(
                        Http2Bytes.frame(
                                Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, stream, Http2Bytes.post("/v1/check")),
                        Http2Bytes.frame(Http2Bytes.DATA, 0, stream, body)));
            }
            expectCalm(client);
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
    }

    private static void expectCalm(RawClient client) throws Exception {
        Http2Bytes.Frame frame = Http2Bytes.next(client.in());
        while (frame != null && frame.type() != Http2Bytes.RST_STREAM) {
            frame = Http2Bytes.next(client.in());
        }

        assertThat(frame).as("a reset").isNotNull();
        assertThat(frame.payload()).as("enhance your calm").endsWith("\u000b");
    }

    private long heldBytes() throws Exception {
        String metrics = service.get(service.server().metricsPort(), "/metrics").body();
        Matcher held = HELD_BYTES.matcher(metrics);
        assertThat(held.find()).isTrue();
        return (long) Double.parseDouble(held.group(1));
    }

    @Test
    void manyConnections_areRefused_aboveTheBoundOfTheProcess() throws Exception {
        String head = "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                RawClient client = RawClient.to(service.port());
                clients.add(client);
                client.send(head);
                client.trySend(new byte[990_000]);
            }
            assertThat(service.check("honest")).isTrue();

            assertThat(clients.stream().map(RawClient::all).toList())
                    .as("the answers to five endless bodies")
                    .anyMatch(answer -> answer.startsWith("HTTP/1.1 503"))
                    .anyMatch(answer -> answer.startsWith("HTTP/1.1 408"));
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        expectNothingHeld();
    }

    private void expectNothingHeld() {
        await().atMost(LONG).until(() -> heldBytes() == 0);
    }
}
