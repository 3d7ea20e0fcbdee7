package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that RFC 9112 and RFC 9113 define as malformed, and unusual ones that are valid. */
class MalformedRequestIT {
    private static final int LARGEST_SENT = 64 << 20;

    @TempDir
    static Path directory;

    private static TestService service;

    @BeforeAll
    static void start() throws Exception {
        service = TestService.start(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String answer(String sent) throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send(sent);
            return client.until("\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: a\r\nHost: a\r\n",
                "Host: a\r\nHost: b\r\n",
                "Host: a b\r\n",
                "Host: a/b\r\n",
                "Host: user@a\r\n",
                "Host: a:port\r\n",
                "Host: a:1:2\r\n",
                "Host: :80\r\n",
                "Host: [::1\r\n",
                "Host: a, b\r\nHost: c\r\n",
            })
    void wrongHost_isABadRequest(String host) throws Exception {
        assertThat(answer("GET /health/live HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "a.example:80", "127.0.0.1:8080", "[::1]", "[::1]:80", "a:", "", "xn--bcher-kva.example"})
    void validHost_isServed(String host) throws Exception {
        assertThat(answer("GET /health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void olderHttp_needsNoHost() throws Exception {
        assertThat(answer("GET /health/live HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a.example/health/live",
                "HTTP://a.example:80/health/live",
                "https://a.example/health/live?x=1",
            })
    void absoluteTarget_isServed(String target) throws Exception {
        assertThat(answer("GET " + target + " HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http:///health/live", "http://user@a/health/live"})
    void absoluteTargetWithoutValidHost_isABadRequest(String target) throws Exception {
        assertThat(answer("GET " + target + " HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void unknownExpectation_isRefused() throws Exception {
        assertThat(answer("GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 417");
    }

    /** The server does not read the whole body after it has answered 413. */
    @Test
    void tooLargeBody_isAnswered_andClosed() throws Exception {
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 200000000\r\n\r\n");
            long sent = client.sendUntilCut(new byte[1 << 16], LARGEST_SENT);

            assertThat(sent).isLessThan(LARGEST_SENT);
        }
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] chunk = ("10000\r\n" + "x".repeat(1 << 16) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            client.sendUntilCut(chunk, (1 << 20) + (1 << 17));

            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 413");
        }
    }

    private static final byte[] METHOD = {(byte) 0x82};
    private static final byte[] SCHEME = {(byte) 0x86};
    private static final byte[] PATH = {4, 12, '/', 'h', 'e', 'a', 'l', 't', 'h', '/', 'l', 'i', 'v', 'e'};
    private static final byte[] AUTHORITY = {1, 1, 'a'};

    /** Returns the first frame for each of two streams: one with the given header, and a valid one after it. */
    private static Http2Bytes.Frame[] framesAbout(byte[] header) throws Exception {
        int whole = Http2Bytes.END_HEADERS | Http2Bytes.END_STREAM;
        Http2Bytes.Frame[] frames = new Http2Bytes.Frame[2];
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            client.send(Http2Bytes.frame(Http2Bytes.HEADERS, whole, 1, header));
            client.send(Http2Bytes.frame(Http2Bytes.HEADERS, whole, 3, Http2Bytes.get("/health/live")));
            Http2Bytes.Frame frame = Http2Bytes.next(client.in());
            while (frame != null && (frames[0] == null || frames[1] == null)) {
                if (frame.stream() == 1 && frames[0] == null) {
                    frames[0] = frame;
                } else if (frame.stream() == 3 && frames[1] == null) {
                    frames[1] = frame;
                }
                frame = frames[0] == null || frames[1] == null ? Http2Bytes.next(client.in()) : frame;
            }
        }
        return frames;
    }

    private static void expectResetOfOneStream(byte[]... parts) throws Exception {
        Http2Bytes.Frame[] frames = framesAbout(Http2Bytes.join(parts));

        assertThat(frames[0]).as("for the malformed request").isNotNull();
        assertThat(frames[0].type()).isEqualTo(Http2Bytes.RST_STREAM);
        assertThat(frames[1]).as("for the next request").isNotNull();
        assertThat(frames[1].type()).isEqualTo(Http2Bytes.HEADERS);
    }

    @Test
    void missingPath_resetsOnlyItsStream() throws Exception {
        expectResetOfOneStream(METHOD, SCHEME, AUTHORITY);
    }

    @Test
    void missingScheme_resetsOnlyItsStream() throws Exception {
        expectResetOfOneStream(METHOD, PATH, AUTHORITY);
    }

    @Test
    void repeatedPseudoHeaders_resetOnlyTheirStream() throws Exception {
        expectResetOfOneStream(METHOD, SCHEME, PATH, PATH, AUTHORITY);
        expectResetOfOneStream(METHOD, METHOD, SCHEME, PATH, AUTHORITY);
        expectResetOfOneStream(METHOD, SCHEME, PATH, AUTHORITY, AUTHORITY);
    }

    @Test
    void completeRequest_isServed() throws Exception {
        Http2Bytes.Frame[] frames = framesAbout(Http2Bytes.join(METHOD, SCHEME, PATH, AUTHORITY));

        assertThat(frames[0].type()).isEqualTo(Http2Bytes.HEADERS);
    }
}
