package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service stops reading from a client that does not read its answers, and cuts it soon. */
class UnreadAnswersIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** More than the buffers of both sockets and the server's own bound hold together. */
    private static final long FLOOD_BYTES = 48 << 20;

    private static final int LIST_SIZE = 1_000;

    private static final int MANY_CLIENTS = 12;

    /** Less than the unread parts of short answers to this many clients, but more than one of them. */
    private static final int MANY_BOUND_BYTES = 1 << 10;

    /** Short answers: how much of an answer stays unread depends on the buffers of the kernel. */
    private static final byte[] PIPELINED =
            "GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n".repeat(100).getBytes(StandardCharsets.US_ASCII);

    private static final Pattern BUFFER_BYTES = Pattern.compile("(?m)^rate_limiter_client_buffer_bytes ([0-9.E]+)$");
    private static final Pattern CONNECTIONS =
            Pattern.compile("(?m)^rate_limiter_connections\\{port=\"main\",?}.* ([0-9.E]+)$");

    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        service = TestService.start(
                directory, settings -> settings.withClients(ClientSettings.DEFAULT.withSlowest(Duration.ofSeconds(2))));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void expectCut(byte[] frame) throws Exception {
        byte[][] many = new byte[1_000][];
        Arrays.fill(many, frame);
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());

            assertThat(client.sendUntilCut(Http2Bytes.join(many), FLOOD_BYTES)).isLessThan(FLOOD_BYTES);
        }
        assertThat(service.check("honest")).isTrue();
    }

    @Test
    void pings_withUnreadAnswers_areCut() throws Exception {
        expectCut(Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[8]));
    }

    @Test
    void settings_withUnreadAnswers_areCut() throws Exception {
        expectCut(Http2Bytes.frame(Http2Bytes.SETTINGS, 0, 0));
    }

    @Test
    void answersHeldByFlowControl_areCut_aboveTheirBound() throws Exception {
        service.close();
        service = TestService.start(
                directory, settings -> settings.withClients(ClientSettings.DEFAULT.withSlowest(LONG)));
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.helloWithoutWindow());
            for (int i = 0; i < 60 && sendList(client, 2 * i + 1); i++) {
                // continue
            }

            awaitEnd(client);
        }
        assertThat(service.check("honest")).isTrue();
    }

    @Test
    void answerHeldByFlowControl_isCut_afterTheTimeout() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.helloWithoutWindow());
            client.send(Http2Bytes.frame(
                    Http2Bytes.HEADERS,
                    Http2Bytes.END_STREAM | Http2Bytes.END_HEADERS,
                    1,
                    Http2Bytes.get("/health/live")));

            awaitEnd(client);
        }
    }

    /** A client that opens its window late gets the whole answer. */
    @Test
    void answerHeldByFlowControl_isSent_whenTheWindowOpens() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.helloWithoutWindow());
            client.send(Http2Bytes.frame(
                    Http2Bytes.HEADERS,
                    Http2Bytes.END_STREAM | Http2Bytes.END_HEADERS,
                    1,
                    Http2Bytes.get("/health/live")));
            StringBuilder body = new StringBuilder();
            Http2Bytes.Frame frame = Http2Bytes.next(client.in());
            while (frame != null && body.indexOf("live") < 0) {
                if (frame.type() == Http2Bytes.HEADERS) {
                    client.send(
                            Http2Bytes.frame(Http2Bytes.WINDOW_UPDATE, 0, 1, (byte) 0, (byte) 0, (byte) 1, (byte) 0));
                } else if (frame.type() == Http2Bytes.DATA) {
                    body.append(frame.payload());
                }
                frame = body.indexOf("live") < 0 ? Http2Bytes.next(client.in()) : frame;
            }

            assertThat(body).contains("live");
        }
    }

    /** The unread answers of all clients together are bounded as well. */
    @Test
    void unreadAnswers_areCut_aboveTheBoundOfTheProcess() throws Exception {
        service.close();
        service = TestService.start(
                directory,
                settings -> settings.withClients(
                        ClientSettings.DEFAULT.withBufferBytes(1 << 20).withSlowest(LONG)));
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.helloWithoutWindow());
            for (int i = 0; i < 8 && sendList(client, 2 * i + 1); i++) {
                // continue
            }

            awaitEnd(client);
        }
        assertThat(service.check("honest")).isTrue();
        await().atMost(LONG)
                .until(() -> service.get(service.server().metricsPort(), "/metrics")
                        .body()
                        .contains("rate_limiter_client_buffer_bytes 0.0"));
    }

    /** Each client leaves little unread, but all together exceed the bound of the process. */
    @Test
    void answersOfManyClients_areCut_aboveTheBoundOfTheProcess() throws Exception {
        service.close();
        service = TestService.start(
                directory,
                settings -> settings.withClients(
                        ClientSettings.DEFAULT.withBufferBytes(MANY_BOUND_BYTES).withSlowest(LONG)));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < MANY_CLIENTS; i++) {
                RawClient client = RawClient.withSmallBuffer(service.port());
                clients.add(client);
                Thread sender = new Thread(() -> client.sendUntilCut(PIPELINED, FLOOD_BYTES));
                sender.setDaemon(true);
                sender.start();
            }

            await().atMost(LONG).until(() -> figure(CONNECTIONS) < MANY_CLIENTS);
            await().atMost(LONG).until(() -> figure(BUFFER_BYTES) <= MANY_BOUND_BYTES);
            assertThat(figure(BUFFER_BYTES)).isPositive();
            assertThat(service.check("honest")).isTrue();
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        await().atMost(LONG).until(() -> figure(BUFFER_BYTES) == 0);
    }

    /** Few enough that the service would keep reading. */
    @Test
    void fewUnreadAnswers_areCut_afterTheTimeout() throws Exception {
        try (RawClient client = RawClient.withSmallBuffer(service.port())) {
            while (figure(BUFFER_BYTES) == 0) {
                client.send(PIPELINED);
            }

            await().atMost(LONG).until(() -> figure(BUFFER_BYTES) == 0);
        }
    }

    private long figure(Pattern line) throws Exception {
        Matcher figure = line.matcher(
                service.get(service.server().metricsPort(), "/metrics").body());
        assertThat(figure.find()).isTrue();
        return (long) Double.parseDouble(figure.group(1));
    }

    private static boolean sendList(RawClient client, int stream) {
        String one = TestService.body("ann");
        byte[] list =
                ("[" + String.join(",", Collections.nCopies(LIST_SIZE, one)) + "]").getBytes(StandardCharsets.US_ASCII);
        boolean isSent = client.trySend(
                Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, stream, Http2Bytes.post("/v1/check")));
        for (int at = 0; isSent && at < list.length; at += 16_384) {
            int end = Math.min(list.length, at + 16_384);
            int flags = end == list.length ? Http2Bytes.END_STREAM : 0;
            isSent =
                    client.trySend(Http2Bytes.frame(Http2Bytes.DATA, flags, stream, Arrays.copyOfRange(list, at, end)));
        }
        return isSent;
    }

    private static void awaitEnd(RawClient client) throws Exception {
        Http2Bytes.Frame frame = Http2Bytes.next(client.in());
        while (frame != null) {
            frame = Http2Bytes.next(client.in());
        }
    }
}
