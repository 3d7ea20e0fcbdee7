package dev.penstock.server.internal.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /json}: takes the same requests as JSON. Answers 200, 429 if the request is over a limit, or 503 if the
 * node is overloaded.
 */
public final class RateLimitJson implements AggregatedService {
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private final RateLimitDecider limiting;
    private final DecisionFields fields;

    /** @param fields the header fields of answers by an overloaded node */
    public RateLimitJson(RateLimitDecider limiting, DecisionFields fields) {
        this.limiting = limiting;
        this.fields = fields;
    }

    /** Blames the caller only for requests that cannot be read. */
    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        try {
            return limiting.answer(RequestJson.read(request.content()), Integer.MAX_VALUE)
                    .thenApply(RateLimitJson::write)
                    .exceptionally(this::failed);
        } catch (RefusedRequest e) {
            throw new BadRequest(e.field(), e.problem());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns a 503 for a request that an overloaded node could not decide; rethrows everything else. */
    private HttpResponse failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof OverloadedNode overloaded) {
            return Answers.overloaded(overloaded.denied(), fields);
        }
        throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
    }

    private static HttpResponse write(RateLimitResponse response) {
        boolean isOver = response.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
        try {
            return Answers.json(
                    isOver ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.OK, HttpData.ofUtf8(PRINTER.print(response)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("the response cannot be written", e);
        }
    }
}
