package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.penstock.server.internal.net.Port;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that change from HTTP/1.1 to HTTP/2 with a request for an upgrade. */
class Http2UpgradeIT {
    private static final Duration SLOWEST = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final String UPGRADE = """
            GET /%s HTTP/1.1\r
            Host: a\r
            Connection: Upgrade, HTTP2-Settings\r
            Upgrade: h2c\r
            HTTP2-Settings: AAR_____\r
            \r
            """;

    private static final byte[] ACKNOWLEDGED = Http2Bytes.frame(Http2Bytes.SETTINGS, 1, 0);
    private static final String SWITCHED = "HTTP/1.1 101 Switching Protocols\r\n";

    /** More than the buffer into which the JDK's client reads. */
    private static final int LONG_BYTES = 60_000;

    private Port port;

    @BeforeEach
    void open() {
        port = Port.open(
                "port",
                new ListenAddress("127.0.0.1", 0),
                new Port.Bounds(ClientSettings.DEFAULT.withSlowest(SLOWEST), Duration.ofSeconds(1)),
                null,
                paths -> {
                    paths.add(HttpMethod.GET, "/short", (context, request) -> HttpResponse.of("short"));
                    paths.add(HttpMethod.GET, "/long", (context, request) -> HttpResponse.of("x".repeat(LONG_BYTES)));
                    paths.add(
                            HttpMethod.GET,
                            "/late",
                            (context, request) -> HttpResponse.delayed(HttpResponse.of("late"), Duration.ofMillis(1)));
                });
    }

    @AfterEach
    void close() {
        port.close();
    }

    private static byte[] request(String path) {
        return UPGRADE.formatted(path).getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the answer to the request for an upgrade. Every byte has to be a part of it, or of a valid frame. */
    private static String answer(RawClient client) throws Exception {
        assertThat(client.until("\r\n\r\n")).startsWith(SWITCHED);
        assertThat(Http2Bytes.next(client.in()).type()).isEqualTo(Http2Bytes.SETTINGS);
        StringBuilder body = new StringBuilder();
        Http2Bytes.Frame frame;
        do {
            frame = Http2Bytes.next(client.in());
            assertThat(frame).isNotNull();
            switch (frame.type()) {
                case Http2Bytes.DATA -> body.append(frame.payload());
                case Http2Bytes.HEADERS -> assertThat(body).isEmpty();
                case Http2Bytes.SETTINGS -> assertThat(frame.payload()).isEmpty();
                case Http2Bytes.WINDOW_UPDATE -> assertThat(frame.payload()).hasSize(4);
                default -> throw new AssertionError(frame);
            }
        } while (frame.stream() == 0 || (frame.flags() & Http2Bytes.END_STREAM) == 0);
        assertThat(frame.stream()).isEqualTo(1);
        return body.toString();
    }

    /** Lets the server read what was sent to it so far, most likely. */
    private void pause() throws Exception {
        try (RawClient other = RawClient.to(port.number())) {
            other.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(other.until("short")).startsWith("HTTP/1.1 200");
        }
    }

    private void expectAnswer(String path, String expected) throws Exception {
        byte[] all = Http2Bytes.join(request(path), Http2Bytes.hello(), ACKNOWLEDGED);
        for (int at = 1; at <= all.length; at++) {
            try (RawClient client = RawClient.to(port.number())) {
                client.send(Arrays.copyOf(all, at));
                pause();
                client.send(Arrays.copyOfRange(all, at, all.length));

                assertThat(answer(client))
                        .as("sent in two pieces, the first of %s bytes", at)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void upgradeAndPreface_splitAnywhere_areAnswered() throws Exception {
        expectAnswer("short", "short");
    }

    @Test
    void upgradeAndPreface_splitAnywhere_areAnsweredLate() throws Exception {
        expectAnswer("late", "late");
    }

    @Test
    void upgradeAndPreface_splitAnywhere_areAnsweredInManyFrames() throws Exception {
        expectAnswer("long", "x".repeat(LONG_BYTES));
    }

    @Test
    void upgradeAndPreface_byteByByte_areAnswered() throws Exception {
        try (RawClient client = RawClient.to(port.number())) {
            for (byte each : Http2Bytes.join(request("long"), Http2Bytes.hello(), ACKNOWLEDGED)) {
                client.send(each);
            }

            assertThat(answer(client)).hasSize(LONG_BYTES);
        }
    }

    /**
     * The JDK's client loses bytes that it reads together with the response 101, if they do not fit into its buffer of
     * 16 KB and its executor is fast. This executor is: it runs all tasks at once.
     */
    @Test
    void jdkClient_getsLongAnswers() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpClient client = HttpClient.newBuilder().executor(Runnable::run).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.number() + "/long"))
                    .build();

            assertThat(client.sendAsync(request, BodyHandlers.ofString())
                            .get(LONG.toSeconds(), TimeUnit.SECONDS)
                            .body())
                    .hasSize(LONG_BYTES);
        }
    }

    @Test
    void bodies_waitForTheSettingsOfTheClient() throws Exception {
        try (RawClient client = RawClient.to(port.number())) {
            client.send(request("long"));
            client.until("\r\n\r\n");
            List<Integer> types = List.of(
                    Http2Bytes.next(client.in()).type(),
                    Http2Bytes.next(client.in()).type(),
                    Http2Bytes.next(client.in()).type());

            assertThat(types).containsExactly(Http2Bytes.SETTINGS, Http2Bytes.WINDOW_UPDATE, Http2Bytes.HEADERS);
            pause();
            assertThat(client.in().available()).isZero();
        }
    }

    @Test
    void clientThatNeverSendsItsSettings_isCut() throws Exception {
        try (RawClient client = RawClient.to(port.number())) {
            client.send(request("short"));

            assertThat(client.all()).startsWith(SWITCHED);
        }
    }
}
