package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.fields.Problem;
import org.jspecify.annotations.Nullable;

/** Tells by problem documents what the server itself refuses: what is not there, is too large or takes too long. */
public final class ProblemErrors implements ServerErrorHandler {
    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        return null; // as the server sees it; told below
    }

    @Override
    public @Nullable AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        if (!status.isError()) {
            return null;
        }
        return AggregatedHttpResponse.of(
                ResponseHeaders.of(status, "content-type", Problem.MEDIA_TYPE, "cache-control", "no-store"),
                HttpData.wrap(
                        Problem.ofRequest(status.code(), detail(status), null).toJson()));
    }

    private static String detail(HttpStatus status) {
        return switch (status.code()) {
            case 404 -> "there is nothing at this path";
            case 405 -> "this path does not take this method";
            case 413 -> "the body is too large";
            case 503 -> "the request took too long, or the service is about to end";
            default -> status.reasonPhrase();
        };
    }
}
