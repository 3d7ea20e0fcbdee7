package dev.penstock.server.internal.envoy;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** {@code envoy.service.ratelimit.v3.RateLimitService}: rate limit requests over gRPC. */
public final class RateLimitCalls extends RateLimitServiceImplBase {
    private static final System.Logger LOG = System.getLogger(RateLimitCalls.class.getName());

    private final RateLimitDecider limiting;

    public RateLimitCalls(RateLimitDecider limiting) {
        this.limiting = limiting;
    }

    @Override
    public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
        try {
            limiting.answer(request, patienceMillis(ServiceRequestContext.current()))
                    .whenComplete((response, failure) -> finish(observer, response, failure));
        } catch (RuntimeException | Error e) {
            observer.onError(status(e).asRuntimeException());
        }
    }

    /** Returns the timeout of {@code grpc-timeout}, or the service's own. Armeria ends the call at that time. */
    private static long patienceMillis(ServiceRequestContext context) {
        long millis = context.requestTimeoutMillis();
        return millis > 0 || context.request().headers().get("grpc-timeout") != null ? millis : Integer.MAX_VALUE;
    }

    private static void finish(
            StreamObserver<RateLimitResponse> observer,
            @Nullable RateLimitResponse response,
            @Nullable Throwable failure) {
        if (response == null) {
            Throwable cause = failure == null ? new IllegalStateException("no response") : failure;
            observer.onError(status(cause).asRuntimeException());
            return;
        }
        observer.onNext(response);
        observer.onCompleted();
    }

    /**
     * Returns the status for a call that failed. It blames the caller only if the request could not be read. It is
     * never UNKNOWN, which Envoy would take for a bug of its own.
     */
    private static Status status(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RefusedRequest refused) {
            return Status.INVALID_ARGUMENT.withDescription(String.valueOf(refused.getMessage()));
        }
        if (cause instanceof OverloadedNode overloaded) {
            return Status.UNAVAILABLE.withDescription(overloaded.getMessage());
        }
        LOG.log(Level.ERROR, "a rate limit call failed", cause);
        return Status.UNAVAILABLE.withDescription("the service failed");
    }
}
