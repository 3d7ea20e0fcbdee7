package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A caller's mistakes in gRPC framing are reported as such, and not as a failure of the service, because clients retry
 * those.
 */
class GrpcMistakesIT {
    private static final Pattern STATUS = Pattern.compile("(?i)grpc-status: *(\\d+)");
    private static final byte[] MESSAGE = RateLimitRequest.newBuilder()
            .setDomain("edge")
            .addDescriptors(RateLimitDescriptor.newBuilder()
                    .addEntries(RateLimitDescriptor.Entry.newBuilder()
                            .setKey("user")
                            .setValue("ann")))
            .build()
            .toByteArray();

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

    private static byte[] frame(int flag, int length, byte... payload) {
        return ByteBuffer.allocate(5 + payload.length)
                .put((byte) flag)
                .putInt(length)
                .put(payload)
                .array();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    static Stream<Arguments> calls() throws IOException {
        byte[] zipped = gzip(MESSAGE);
        byte[] bomb = gzip(RateLimitRequest.newBuilder()
                .setDomain("a".repeat(8 << 20))
                .build()
                .toByteArray());
        byte[] corrupt = zipped.clone();
        corrupt[12] ^= 0x55;
        return Stream.of(
                Arguments.of("a good one", "", frame(0, MESSAGE.length, MESSAGE), Status.Code.OK),
                Arguments.of("a compressed one", "gzip", frame(1, zipped.length, zipped), Status.Code.OK),
                Arguments.of("too long", "", frame(0, 2 << 20, new byte[10]), Status.Code.RESOURCE_EXHAUSTED),
                Arguments.of(
                        "too long as sent", "", frame(0, 1 << 20, new byte[1 << 20]), Status.Code.RESOURCE_EXHAUSTED),
                Arguments.of("too long unpacked", "gzip", frame(1, bomb.length, bomb), Status.Code.RESOURCE_EXHAUSTED),
                Arguments.of("cut short", "", frame(0, MESSAGE.length + 9, MESSAGE), Status.Code.INVALID_ARGUMENT),
                Arguments.of("a part of a head", "", new byte[] {0, 0}, Status.Code.INVALID_ARGUMENT),
                Arguments.of("nothing", "", new byte[0], Status.Code.INVALID_ARGUMENT),
                Arguments.of("a bad flag", "", frame(7, MESSAGE.length, MESSAGE), Status.Code.INVALID_ARGUMENT),
                Arguments.of(
                        "compressed without an encoding",
                        "",
                        frame(1, zipped.length, zipped),
                        Status.Code.INVALID_ARGUMENT),
                Arguments.of("corrupt", "gzip", frame(1, corrupt.length, corrupt), Status.Code.INVALID_ARGUMENT),
                Arguments.of("no gzip", "gzip", frame(1, MESSAGE.length, MESSAGE), Status.Code.INVALID_ARGUMENT),
                Arguments.of(
                        "no message", "", frame(0, 3, (byte) 10, (byte) 100, (byte) 1), Status.Code.INVALID_ARGUMENT),
                Arguments.of(
                        "an unknown encoding", "zork", frame(1, MESSAGE.length, MESSAGE), Status.Code.UNIMPLEMENTED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void call_isAnsweredWith(String what, String encoding, byte[] body, Status.Code expected) throws Exception {
        String head = "POST /envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit HTTP/1.1\r\nHost: a\r\n"
                + "Content-Type: application/grpc\r\nTE: trailers\r\nContent-Length: "
                + body.length
                + (encoding.isEmpty() ? "" : "\r\ngrpc-encoding: " + encoding) + "\r\n\r\n";
        try (RawClient client = RawClient.to(service.port())) {
            client.trySend(Http2Bytes.join(head.getBytes(StandardCharsets.US_ASCII), body));
            String answer = client.untilMatch(STATUS);

            Matcher status = STATUS.matcher(answer);
            assertThat(status.find()).as(answer).isTrue();
            assertThat(Status.fromCodeValue(Integer.parseInt(status.group(1))).getCode())
                    .as(answer)
                    .isEqualTo(expected);
        }
    }
}
