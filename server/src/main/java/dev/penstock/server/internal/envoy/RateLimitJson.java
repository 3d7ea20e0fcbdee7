package dev.penstock.server.internal.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.WholeService;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.concurrent.CompletionStage;

/** {@code POST /json}: the same requests as JSON, answered with 200, or 429 where they are over a limit. */
public final class RateLimitJson implements WholeService {
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private final RateLimiting limiting;

    public RateLimitJson(RateLimiting limiting) {
        this.limiting = limiting;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request) {
        return limiting.answer(read(request.contentUtf8()), Integer.MAX_VALUE).thenApply(RateLimitJson::write);
    }

    private static RateLimitRequest read(String body) {
        RateLimitRequest.Builder builder = RateLimitRequest.newBuilder();
        try {
            PARSER.merge(body, builder);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not the JSON of a RateLimitRequest: " + e.getMessage(), e);
        }
        return builder.build();
    }

    private static HttpResponse write(RateLimitResponse response) {
        boolean isOver = response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
        try {
            return Answers.json(
                    isOver ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.OK, HttpData.ofUtf8(PRINTER.print(response)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a response that cannot be written", e);
        }
    }
}
