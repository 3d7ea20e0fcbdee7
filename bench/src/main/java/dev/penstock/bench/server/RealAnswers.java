package dev.penstock.bench.server;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.penstock.bench.harness.BenchFailure;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.IOException;
import java.util.Arrays;

/**
 * Penstock's answers to one request of each kind, captured before anything is measured.
 *
 * @param json the answer of {@code /v1/check}
 * @param message the answer to Envoy's request
 */
record RealAnswers(HttpData json, RateLimitResponse message) {
    private static final int FRAME_HEAD = 5;

    static RealAnswers of(int port) throws BenchFailure {
        AggregatedHttpResponse check = ask(port, Wire.HTTP2);
        if (!check.contentUtf8().contains("\"allowed\":true")) {
            throw new BenchFailure("/v1/check: " + check.status() + " " + check.contentUtf8() + " (expected: allowed)");
        }
        byte[] frame = ask(port, Wire.GRPC).content().array();
        try {
            RateLimitResponse message = RateLimitResponse.parseFrom(
                    Arrays.copyOfRange(frame, Math.min(FRAME_HEAD, frame.length), frame.length));
            if (message.getOverallCode() != RateLimitResponse.Code.OK) {
                throw new BenchFailure("ShouldRateLimit: " + message.getOverallCode() + " (expected: OK)");
            }
            return new RealAnswers(check.content(), message);
        } catch (IOException e) {
            throw new BenchFailure("ShouldRateLimit: not a message of Envoy's protocol", e);
        }
    }

    private static AggregatedHttpResponse ask(int port, Wire wire) throws BenchFailure {
        RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.POST, wire.path());
        for (String header : wire.headers()) {
            int colon = header.indexOf(':');
            headers.add(HttpHeaderNames.of(header.substring(0, colon)), header.substring(colon + 2));
        }
        AggregatedHttpResponse response = WebClient.of("h2c://127.0.0.1:" + port)
                .execute(headers.build(), HttpData.wrap(wire.body()))
                .aggregate()
                .join();
        if (!response.status().equals(HttpStatus.OK)) {
            throw new BenchFailure(wire.caseName() + ": " + response.status() + " (expected: 200)");
        }
        return response;
    }
}
