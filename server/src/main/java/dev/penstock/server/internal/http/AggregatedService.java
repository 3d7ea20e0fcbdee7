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
 * A service that answers whole requests with whole responses. Armeria makes a stream of neither then, which is a good part of
 * what a request costs.
 */
public interface AggregatedService extends HttpService {
    /**
     * The response to a request.
     *
     * @throws BadRequest where it is not as it should be
     * @throws IllegalArgumentException where the policies cannot be asked about it
     */
    CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest;

    /** A request that does not come in whole is Armeria's to answer. */
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
