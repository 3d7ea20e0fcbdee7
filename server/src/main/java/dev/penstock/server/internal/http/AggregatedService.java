package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A service that answers whole requests with whole responses. Armeria then creates no streams, which would be a large
 * part of the cost of a request.
 */
public interface AggregatedService extends HttpService {
    /**
     * Returns the response to a request.
     *
     * @throws BadRequest if the request is malformed
     * @throws IllegalArgumentException if the policies cannot match the request
     */
    CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest;

    /** Reads the whole request and answers it. Armeria answers requests that do not arrive whole. */
    @Override
    default HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        CompletableFuture<AggregatedHttpRequest> coming = request.aggregate();
        return coming.isDone() && !coming.isCompletedExceptionally()
                ? Answers.of(() -> answer(context, coming.join()))
                : HttpResponse.of(
                        context.makeContextAware(coming).thenApply(whole -> Answers.of(() -> answer(context, whole))));
    }

    @Override
    default ExchangeType exchangeType(RoutingContext context) {
        return ExchangeType.UNARY;
    }
}
