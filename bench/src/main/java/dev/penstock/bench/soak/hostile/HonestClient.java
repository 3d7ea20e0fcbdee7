package dev.penstock.bench.soak.hostile;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.penstock.bench.server.Wire;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests to one service as honest clients do, over HTTP/1.1, HTTP/2 and gRPC, without automatic retries.
 * Thread-safe.
 */
final class HonestClient {
    /** Much longer than any answer may take, to detect answers that never come. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int GRPC_HEAD_BYTES = 5;

    private final WebClient http1;
    private final WebClient http2;

    HonestClient(int port, ClientFactory factory) {
        this.http1 = client("h1c", port, factory);
        this.http2 = client("h2c", port, factory);
    }

    private static WebClient client(String protocol, int port, ClientFactory factory) {
        return WebClient.builder(protocol + "://127.0.0.1:" + port)
                .factory(factory)
                .responseTimeout(PATIENCE)
                .writeTimeout(PATIENCE)
                .build();
    }

    private WebClient over(Wire wire) {
        return wire == Wire.HTTP1 ? http1 : http2;
    }

    CompletableFuture<AggregatedHttpResponse> post(Wire wire, String path, String body) {
        return over(wire).post(path, body).aggregate();
    }

    /** Sends a body under an idempotency key. */
    CompletableFuture<AggregatedHttpResponse> postOnce(Wire wire, String path, String body, String idempotencyKey) {
        RequestHeaders headers = RequestHeaders.of(HttpMethod.POST, path, "idempotency-key", idempotencyKey);
        return over(wire).execute(headers, body).aggregate();
    }

    CompletableFuture<AggregatedHttpResponse> delete(Wire wire, String path) {
        return over(wire).delete(path).aggregate();
    }

    /** Sends a request as a gateway does. */
    CompletableFuture<AggregatedHttpResponse> gate(Wire wire, String uri) {
        RequestHeaders headers = RequestHeaders.of(HttpMethod.GET, "/v1/gate", "x-forwarded-uri", uri);
        return over(wire).execute(headers).aggregate();
    }

    /** Sends a request as Envoy does. */
    CompletableFuture<HonestOutcome> envoy(String kind, String user) {
        byte[] message = RateLimitRequest.newBuilder()
                .setDomain("honest")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(entry("kind", kind))
                        .addEntries(entry("user", user)))
                .build()
                .toByteArray();
        byte[] framed = ByteBuffer.allocate(GRPC_HEAD_BYTES + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        RequestHeaders headers = RequestHeaders.of(
                HttpMethod.POST, Wire.GRPC.path(), "content-type", Wire.GRPC.contentType(), "te", "trailers");
        return http2.execute(headers, HttpData.wrap(framed)).aggregate().thenApply(HonestClient::envoyOutcome);
    }

    private static RateLimitDescriptor.Entry entry(String key, String value) {
        return RateLimitDescriptor.Entry.newBuilder()
                .setKey(key)
                .setValue(value)
                .build();
    }

    private static HonestOutcome envoyOutcome(AggregatedHttpResponse response) {
        String status =
                response.trailers().get("grpc-status", response.headers().get("grpc-status", "none"));
        if (!status.matches("\\d{1,2}")) {
            return HonestOutcome.ERROR;
        }
        byte[] content = response.content().array();
        boolean isAllowed = false;
        if (content.length >= GRPC_HEAD_BYTES) {
            try {
                RateLimitResponse message = RateLimitResponse.parseFrom(
                        ByteBuffer.wrap(content, GRPC_HEAD_BYTES, content.length - GRPC_HEAD_BYTES));
                isAllowed = message.getOverallCode() == RateLimitResponse.Code.OK;
            } catch (InvalidProtocolBufferException e) {
                return HonestOutcome.ERROR;
            }
        }
        return HonestOutcome.ofGrpc(Integer.parseInt(status), isAllowed);
    }
}
