package dev.penstock.server.internal.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.AbstractHttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.Answers;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** {@code POST /json}: the same requests as JSON, answered with 200, or 429 where they are over a limit. */
public final class RateLimitJson extends AbstractHttpService {
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private final RateLimiting limiting;

    public RateLimitJson(RateLimiting limiting) {
        this.limiting = limiting;
    }

    @Override
    protected HttpResponse doPost(ServiceRequestContext context, HttpRequest request) {
        return HttpResponse.of(request.aggregate().thenCompose(this::answer).exceptionally(RateLimitJson::failed));
    }

    private CompletionStage<HttpResponse> answer(AggregatedHttpRequest request) {
        return limiting.answer(RequestJson.read(request.content()), Integer.MAX_VALUE)
                .thenApply(RateLimitJson::write);
    }

    /** Only what reading refused is the caller's fault. */
    private static HttpResponse failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RefusedRequest refused
                ? Answers.problem(
                        Problem.ofRequest(
                                HttpStatus.BAD_REQUEST.code(), String.valueOf(refused.getMessage()), refused.field()),
                        List.of())
                : Answers.failed(new IllegalStateException("a rate limit request failed", cause));
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
