package dev.penstock.bench.server;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The protocol of a request. Its content is always the same: one user's request, no longer than necessary. */
public enum Wire {
    HTTP1("http1", "/v1/check", "application/json"),
    HTTP2("http2", "/v1/check", "application/json"),
    GRPC("grpc", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", "application/grpc");

    /** The number of users that requests are made for. */
    public static final int USERS = 100_000;

    /** The attribute that the policies of most benchmarks match. */
    public static final String KIND = "check";

    /** The placeholder for the number that changes. */
    private static final String NO_NUMBER = "00000000";

    private static final String USER = "user-" + NO_NUMBER;
    private static final byte NOT_COMPRESSED = 0;

    private final String caseName;
    private final String path;
    private final String contentType;

    Wire(String caseName, String path, String contentType) {
        this.caseName = caseName;
        this.path = path;
        this.contentType = contentType;
    }

    public String caseName() {
        return caseName;
    }

    public String path() {
        return path;
    }

    public String contentType() {
        return contentType;
    }

    List<String> headers() {
        String type = "content-type: " + contentType;
        return this == GRPC ? List.of(type, "te: trailers") : List.of(type);
    }

    /** Returns the body of a request by user 0. */
    byte[] body() {
        return body(KIND);
    }

    /** Returns the body of a request of some kind by user 0. */
    public byte[] body(String kind) {
        return this == GRPC
                ? frame(envoyRequest(kind).toByteArray())
                : json(kind).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the position of the eight digits of the user's number in the body. */
    int numberAt() {
        return numberAt(body());
    }

    /** Returns the position of the eight digits of the user's number in such a body. */
    public static int numberAt(byte[] body) {
        return new String(body, StandardCharsets.ISO_8859_1).indexOf(NO_NUMBER);
    }

    private static String json(String kind) {
        return "{\"attributes\":{\"kind\":\"" + kind + "\",\"user\":\"" + USER + "\"}}";
    }

    private static RateLimitRequest envoyRequest(String kind) {
        return RateLimitRequest.newBuilder()
                .setDomain("bench")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(entry("kind", kind))
                        .addEntries(entry("user", USER)))
                .build();
    }

    private static RateLimitDescriptor.Entry entry(String key, String value) {
        return RateLimitDescriptor.Entry.newBuilder()
                .setKey(key)
                .setValue(value)
                .build();
    }

    private static byte[] frame(byte[] message) {
        return ByteBuffer.allocate(message.length + 5)
                .put(NOT_COMPRESSED)
                .putInt(message.length)
                .put(message)
                .array();
    }
}
