package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that clients begin and do not finish are bounded, per connection and in the process. */
class UnfinishedBodiesIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BUFFER_BYTES = 4 << 20;

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

    /** Each stream holds what its window allows; one of them is reset before all could. */
    @Test
    void manyStreams_areRefused_aboveTheBound() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            for (int i = 0; i < 200; i++) {
                int stream = 2 * i + 1;
                client.trySend(Http2Bytes.frame(
                        Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, stream, Http2Bytes.post("/v1/check")));
                client.trySend(Http2Bytes.frame(Http2Bytes.DATA, 0, stream, new byte[16_384]));
                client.trySend(Http2Bytes.frame(Http2Bytes.DATA, 0, stream, new byte[16_384]));
            }
            Http2Bytes.Frame frame = Http2Bytes.next(client.in());
            while (frame != null && frame.type() != Http2Bytes.RST_STREAM) {
                frame = Http2Bytes.next(client.in());
            }

            assertThat(frame).as("a reset").isNotNull();
            assertThat(frame.payload()).as("enhance your calm").endsWith("\u000b");
            assertThat(service.check("honest")).isTrue();
        }
        expectNothingHeld();
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
                    .as("the answers to five bodies that never end")
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
        await().atMost(LONG)
                .until(() -> service.get(service.server().metricsPort(), "/metrics")
                        .body()
                        .contains("rate_limiter_client_buffer_bytes 0.0"));
    }
}
