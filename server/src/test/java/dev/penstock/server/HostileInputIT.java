package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malicious input: it is refused without revealing internals, memory use stays the same, and other clients are served
 * meanwhile.
 */
class HostileInputIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long FLAT_BYTES = 64 << 20;

    /** Text that occurs only in stack traces and careless messages. */
    private static final Pattern INSIDE =
            Pattern.compile("Exception|\\bat [a-z]+\\.|java\\.|io\\.netty|armeria|dev\\.penstock|jackson");

    @TempDir
    static Path directory;

    private static TestService service;
    private static int users;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** Runs after each attack. */
    @AfterEach
    void goodClients_areServed() throws Exception {
        assertThat(service.check("good-" + ++users)).isTrue();
    }

    private static String exchange(byte[] sent) throws IOException {
        try (RawClient client = RawClient.to(service.port())) {
            client.trySend(sent);
            return client.all();
        }
    }

    static Stream<String> badHttp1() {
        String post = "POST /v1/check HTTP/1.1\r\nHost: a\r\n";
        return Stream.of(
                "\r\n\r\nnonsense\r\n\r\n",
                "GET\r\n\r\n",
                "GET /health/live\r\n\r\n",
                "GET /health/live HTTP/1.1 extra\r\nHost: a\r\n\r\n",
                "\0\0\0\0 / HTTP/1.1\r\n\r\n",
                "GET /health\0/live HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\n folded\r\n: empty\r\n\r\n",
                "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(100_000) + "\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: a\r\n" + "X: a\r\n".repeat(50_000) + "\r\n",
                "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
                "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "TRACE-IT / HTTP/1.1\r\nHost: a\r\n\r\n",
                post + "Content-Length: -1\r\n\r\n",
                post + "Content-Length: 99999999999999999999\r\n\r\n",
                post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
                post + "Content-Length: 5, 6\r\n\r\n{}",
                post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
                post + "Content-Length: 2097152\r\n\r\n{}");
    }

    @ParameterizedTest
    @MethodSource("badHttp1")
    void badHttp1_isRefused_withoutRevealingInternals(String sent) throws Exception {
        String answer = exchange(sent.getBytes(StandardCharsets.ISO_8859_1));

        assertThat(answer).doesNotContain("HTTP/1.1 2").doesNotContain("HTTP/1.1 5");
        assertThat(INSIDE.matcher(answer).find()).as(answer).isFalse();
    }

    /**
     * Two lengths that a proxy in front may read differently. The bytes after the first must never be taken for a
     * request.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 44\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 44\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 44\r\n",
                "Transfer-Encoding: identity, chunked\r\nContent-Length: 44\r\n",
                "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n",
                "Transfer-Encoding:\u000bchunked\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: 44\r\n",
            })
    void smuggledRequest_isNotServed(String lengths) throws Exception {
        String sent = "POST /v1/check HTTP/1.1\r\nHost: a\r\n" + lengths
                + "\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: smuggled\r\n\r\n";

        String answer = exchange(sent.getBytes(StandardCharsets.ISO_8859_1));

        assertThat(answer).doesNotContain("\"live\"");
        assertThat(INSIDE.matcher(answer).find()).as(answer).isFalse();
    }

    static Stream<byte[]> badHttp2() {
        byte[] hello = Http2Bytes.hello();
        byte[] get = Http2Bytes.get("/health/live");
        int whole = Http2Bytes.END_HEADERS | Http2Bytes.END_STREAM;
        return Stream.of(
                "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                Http2Bytes.join(Http2Bytes.PREFACE, new byte[64]),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.DATA, 0, 0, new byte[5])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.DATA, 0, 1, new byte[5])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.HEADERS, whole, 2, get)),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.HEADERS, whole, 1, (byte) 0xff, (byte) 0xff)),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.CONTINUATION, 4, 1, get)),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.SETTINGS, 0, 0, new byte[5])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[7])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.WINDOW_UPDATE, 0, 0, new byte[4])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.RST_STREAM, 0, 1, new byte[4])),
                Http2Bytes.join(hello, Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[1 << 20])));
    }

    @ParameterizedTest
    @MethodSource("badHttp2")
    void badHttp2_endsTheConnection(byte[] sent) throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.trySend(sent);
            assertThat(endOf(client)).isNotEqualTo(Ended.ANSWERED);
        }
    }

    /** The way in which the other side ended a connection. */
    private enum Ended {
        CLOSED,
        BY_ERROR,
        ANSWERED
    }

    private static Ended endOf(RawClient client) throws IOException {
        Ended ended = Ended.CLOSED;
        for (Http2Bytes.Frame frame = Http2Bytes.next(client.in());
                frame != null;
                frame = Http2Bytes.next(client.in())) {
            if (frame.type() == Http2Bytes.HEADERS) {
                return Ended.ANSWERED;
            } else if (frame.type() == Http2Bytes.GOAWAY) {
                assertThat(INSIDE.matcher(frame.payload()).find()).isFalse();
                ended = Ended.BY_ERROR;
            }
        }
        return ended;
    }

    /** A header that never ends, in frames of one field each. */
    @Test
    void continuationFlood_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            client.send(Http2Bytes.frame(Http2Bytes.HEADERS, 0, 1, Http2Bytes.get("/health/live")));
            byte[] more = Http2Bytes.frame(Http2Bytes.CONTINUATION, 0, 1, Http2Bytes.field("x-a", "b".repeat(100)));

            await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> !client.trySend(more));
        }
    }

    /** Requests that are reset as soon as they were sent. */
    @Test
    void rapidReset_isCut() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            byte[] get = Http2Bytes.get("/health/live");
            int[] stream = {1};
            await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> {
                byte[][] many = new byte[200][];
                for (int i = 0; i < many.length; i += 2) {
                    many[i] = Http2Bytes.frame(Http2Bytes.HEADERS, 5, stream[0], get);
                    many[i + 1] = Http2Bytes.frame(
                            Http2Bytes.RST_STREAM, 0, stream[0], (byte) 0, (byte) 0, (byte) 0, (byte) 8);
                    stream[0] += 2;
                }
                return !client.trySend(Http2Bytes.join(many));
            });
        }
    }

    /** One field put into HPACK's table, then referenced thousands of times: small on the wire, large when decoded. */
    @Test
    void headerBomb_isRefused() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            byte[] large = Http2Bytes.field("x-large", "b".repeat(120));
            large[0] = 0x40; // adds it to the table as the first entry, 62
            byte[] again = new byte[10_000];
            Arrays.fill(again, (byte) (0x80 | 62));
            client.send(Http2Bytes.hello());
            client.trySend(Http2Bytes.frame(
                    Http2Bytes.HEADERS, 5, 1, Http2Bytes.join(Http2Bytes.get("/health/live"), large, again)));

            assertThat(isRefused(client)).isTrue();
        }
    }

    /** Returns true if the first stream was ended by an error or an answer other than 200. */
    private static boolean isRefused(RawClient client) throws IOException {
        for (Http2Bytes.Frame frame = Http2Bytes.next(client.in());
                frame != null;
                frame = Http2Bytes.next(client.in())) {
            if (frame.type() == Http2Bytes.HEADERS) {
                return frame.payload().charAt(0) != 0x88; // :status 200
            } else if (frame.type() == Http2Bytes.RST_STREAM || frame.type() == Http2Bytes.GOAWAY) {
                return true;
            }
        }
        return true;
    }

    @Test
    void streams_areBounded() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            byte[] post = Http2Bytes.get("/v1/gate");
            byte[][] many = new byte[2_000][];
            for (int i = 0; i < many.length; i++) { // none of them ends
                many[i] = Http2Bytes.frame(Http2Bytes.HEADERS, Http2Bytes.END_HEADERS, 2 * i + 1, post);
            }
            client.trySend(Http2Bytes.join(many));
            boolean refused = false;
            for (Http2Bytes.Frame frame = Http2Bytes.next(client.in());
                    frame != null && !refused;
                    frame = Http2Bytes.next(client.in())) {
                refused = frame.type() == Http2Bytes.RST_STREAM || frame.type() == Http2Bytes.GOAWAY;
            }
            assertThat(refused).as("one of the streams").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"attributes\":", "{\"a\":[", "\"", "1"})
    void nestedAndEndlessJson_isABadRequest(String piece) throws Exception {
        HttpResponse<String> response =
                service.post(service.port(), "/v1/check", piece.repeat(1_000_000 / piece.length()));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(INSIDE.matcher(response.body()).find()).as(response.body()).isFalse();
    }

    /** gRPC frames with a false length, on a gRPC path and on another one. The answer must not be a decision. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/check", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit"})
    void badGrpc_getsNoDecision(String path) throws Exception {
        byte[] lie = {0, (byte) 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1, 2, 3};
        String head = "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/grpc\r\nContent-Length: "
                + lie.length + "\r\nConnection: close\r\n\r\n";

        String answer = exchange(Http2Bytes.join(head.getBytes(StandardCharsets.US_ASCII), lie));

        assertThat(answer).doesNotContain("allowed");
        assertThat(INSIDE.matcher(answer).find()).as(answer).isFalse();
    }

    @Test
    void unknownPathsAndMethods_areProblemDocuments() throws Exception {
        HttpResponse<String> path = service.get(service.port(), "/nothing");
        HttpResponse<String> method = service.get(service.port(), "/v1/check");

        assertThat(path.statusCode()).isEqualTo(404);
        assertThat(TestService.json(path).get("detail").asText()).isEqualTo("There is nothing at this path.");
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(TestService.json(method).get("status").asInt()).isEqualTo(405);
    }

    @Test
    void manyIdleConnections_costLittle_andOthersAreServed() throws Exception {
        int count = 5_000;
        assumeTrue(
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() > 2 * count + 500,
                "too few descriptors here for 5,000 connections (ulimit -n)");
        long before = usedAfterCollection();
        List<RawClient> idle = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                idle.add(RawClient.to(service.port()));
                if (i % 1_000 == 0) {
                    assertThat(service.check("meanwhile-" + i)).isTrue();
                }
            }
            assertThat(service.check("meanwhile")).isTrue();
            assertThat(usedAfterCollection() - before).isLessThan(2 * FLAT_BYTES);
        } finally {
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    @Test
    void repeatedAttacks_leaveNothingBehind() throws Exception {
        byte[] bomb = ("GET /health/live HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(100_000) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] large = ("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + "[".repeat(500_000))
                .getBytes(StandardCharsets.US_ASCII);
        attack(bomb, large, 20);
        long before = usedAfterCollection();
        attack(bomb, large, 200);

        assertThat(usedAfterCollection() - before).isLessThan(FLAT_BYTES);
    }

    private static void attack(byte[] bomb, byte[] large, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            exchange(bomb);
            try (RawClient client = RawClient.to(service.port())) {
                client.trySend(large); // then closes in the middle of the body
            }
        }
    }

    private static long usedAfterCollection() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
    }

    @Test
    void connections_areBounded() throws Exception {
        Path own = Files.createDirectories(directory.resolve("own"));
        try (TestService small = TestService.start(
                        own, settings -> settings.withClients(ClientSettings.DEFAULT.withConnections(2)));
                RawClient first = RawClient.to(small.port());
                RawClient second = RawClient.to(small.port())) {
            await().atMost(LONG)
                    .until(() -> small.get(small.server().metricsPort(), "/metrics")
                            .body()
                            .contains("rate_limiter_connections{port=\"main\"} 2.0"));
            try (RawClient third = RawClient.to(small.port())) {
                assertThat(third.all()).isEmpty();
            }
            for (RawClient known : List.of(first, second)) {
                known.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(known.all()).startsWith("HTTP/1.1 200");
            }
        }
    }
}
