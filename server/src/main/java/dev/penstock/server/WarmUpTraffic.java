package dev.penstock.server;

import dev.penstock.server.internal.warmup.OutgoingRequest;
import dev.penstock.server.internal.warmup.RequestLoop.Step;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests that are sent while a node warms up: every call that decides, in roughly the proportions of real
 * traffic.
 */
final class WarmUpTraffic {
    private static final byte[] CHECK = utf8(
            "{\"attributes\": {\"route\": \"/warm-up/x\", \"method\": \"GET\", \"host\": \"warm-up.invalid\", \"user\": \"nobody\","
                    + " \"tenant\": \"nobody\", \"ip\": \"192.0.2.1\"}}");
    private static final byte[] NOTHING = {};
    private static final Pattern PERMIT = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");
    private static final int BURST = 16;
    private static final int PREFIX = 5;

    private final OutgoingRequest check;
    private final OutgoingRequest list;
    private final OutgoingRequest reserve;
    private final OutgoingRequest gate;
    private final OutgoingRequest call;
    private final Map<String, String> headers;

    /** @param token the token that the temporary port requires */
    WarmUpTraffic(Secret token) {
        String bearer = "Bearer " + token.text();
        this.headers = Map.of("authorization", bearer);
        this.check = new OutgoingRequest("POST", "/v1/check", headers, CHECK);
        String one = new String(CHECK, StandardCharsets.UTF_8);
        this.list = new OutgoingRequest(
                "POST", "/v1/check", headers, utf8("[" + String.join(",", Collections.nCopies(BURST, one)) + "]"));
        this.reserve = new OutgoingRequest("POST", "/v1/permits", headers, CHECK);
        this.gate = new OutgoingRequest(
                "GET",
                "/v1/gate",
                Map.of(
                        "authorization",
                        bearer,
                        "x-forwarded-method",
                        "GET",
                        "x-forwarded-host",
                        "warm-up.invalid",
                        "x-forwarded-uri",
                        "/warm-up/x",
                        "x-forwarded-for",
                        "192.0.2.1"),
                NOTHING);
        this.call = new OutgoingRequest(
                "POST",
                "/" + RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName(),
                Map.of("authorization", bearer, "content-type", "application/grpc", "te", "trailers"),
                message());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Builds a descriptor with its own limit, because the rules may have none for it. */
    private static byte[] message() {
        byte[] request = RateLimitRequest.newBuilder()
                .setDomain("warm-up")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(Entry.newBuilder().setKey("warm-up").setValue("nobody"))
                        .setLimit(RateLimitOverride.newBuilder()
                                .setRequestsPerUnit(1_000_000)
                                .setUnit(RateLimitUnit.SECOND)))
                .build()
                .toByteArray();
        return ByteBuffer.allocate(PREFIX + request.length)
                .put((byte) 0)
                .putInt(request.length)
                .put(request)
                .array();
    }

    /**
     * Returns the next requests over HTTP/1.1: single checks, lists of checks, calls of gateways, and permits that are
     * settled at once.
     */
    Step overHttp1(int number) {
        return switch (number % 32) {
            case 3 -> Step.untimed(List.of(list));
            case 7 -> new Step(List.of(reserve), false, this::settlement);
            case 2, 10, 18, 26 -> Step.timed(gate);
            default -> Step.timed(check);
        };
    }

    private List<OutgoingRequest> settlement(byte[] response) {
        Matcher permit = PERMIT.matcher(new String(response, StandardCharsets.UTF_8));
        return permit.find()
                ? List.of(
                        new OutgoingRequest("POST", "/v1/permits/" + permit.group(1) + "/renew", headers, NOTHING),
                        new OutgoingRequest(
                                "POST", "/v1/permits/" + permit.group(1) + "/settle", headers, utf8("{\"costs\": {}}")))
                : List.of();
    }

    /** Returns the next requests over HTTP/2: single checks, concurrent checks, and calls of gateways. */
    Step overHttp2(int number) {
        return switch (number % 8) {
            case 1, 3, 5, 7 -> Step.untimed(Collections.nCopies(BURST, check));
            case 6 -> Step.timed(gate);
            default -> Step.timed(check);
        };
    }

    /** Returns the next requests over gRPC: Envoy's calls, one at a time or many at once. */
    Step overGrpc(int number) {
        return number % 2 == 1 ? Step.untimed(Collections.nCopies(BURST, call)) : Step.timed(call);
    }
}
