package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.fields.Problem;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that do not reach a service, and requests whose service failed, with a problem document that reveals
 * no internals.
 */
final class ErrorAnswers implements ServerErrorHandler {
    /** The gRPC status for 413, because gRPC clients take that HTTP status for an unknown failure. */
    private static final int RESOURCE_EXHAUSTED = 8;

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        return null; // the default handler finds the status and then calls renderStatus
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        if (status.isContentAlwaysEmpty() || status.code() < 400) {
            return AggregatedHttpResponse.of(ResponseHeaders.of(status));
        }
        boolean restIsToCome = status.equals(HttpStatus.REQUEST_TIMEOUT);
        if (restIsToCome && context != null && !context.sessionProtocol().isMultiplex()) {
            var unused = context.initiateConnectionShutdown(Duration.ZERO); // the rest of a late request is not read
        }
        if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE) && isGrpc(headers)) {
            return AggregatedHttpResponse.of(ResponseHeaders.of(
                    HttpStatus.OK,
                    HttpHeaderNames.CONTENT_TYPE,
                    "application/grpc",
                    "grpc-status",
                    RESOURCE_EXHAUSTED,
                    "grpc-message",
                    "the message is too large"));
        }
        Problem problem = Problem.ofRequest(status.code(), detail(status), null);
        ResponseHeadersBuilder answer = ResponseHeaders.builder(status)
                .set("content-type", Problem.MEDIA_TYPE)
                .set("cache-control", "no-store");
        if (status.equals(HttpStatus.METHOD_NOT_ALLOWED) && headers != null) {
            answer.set("allow", methodsAt(headers.path(), config.server()));
        }
        return AggregatedHttpResponse.of(answer.build(), HttpData.wrap(problem.toJson()));
    }

    private static boolean isGrpc(@Nullable RequestHeaders headers) {
        String type = headers == null ? null : headers.get(HttpHeaderNames.CONTENT_TYPE);
        return type != null && type.startsWith("application/grpc");
    }

    /**
     * Returns the methods that the path supports. The routes of this service consist of words and of parameters that
     * are one word.
     */
    private static String methodsAt(String path, Server server) {
        String asked = path.replaceFirst("[?#].*", "");
        return server.serviceConfigs().stream()
                .map(ServiceConfig::route)
                .filter(route -> isAt(route.patternString(), asked))
                .flatMap(route -> route.methods().stream())
                .map(HttpMethod::name)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static boolean isAt(String pattern, String path) {
        String[] words = pattern.split("/", -1);
        String[] asked = path.split("/", -1);
        boolean fits = words.length == asked.length;
        for (int i = 0; fits && i < words.length; i++) {
            fits = words[i].startsWith(":") ? !asked[i].isEmpty() : words[i].equals(asked[i]);
        }
        return fits;
    }

    private static String detail(HttpStatus status) {
        return switch (status.code()) {
            case 400 -> "The request cannot be read.";
            case 404 -> "There is nothing at this path.";
            case 405 -> "The method cannot be used at this path.";
            case 408 -> "The request took too long to arrive.";
            case 413 -> "The body of the request is too large.";
            case 414 -> "The request line is too long.";
            case 415 -> "The request body has an unsupported type.";
            case 417 -> "The expectation of the request is not supported.";
            case 431 -> "The header of the request is too large.";
            case 503 -> "The service is shutting down or was too slow.";
            default -> status.isClientError() ? "The request cannot be served." : "The service failed.";
        };
    }
}
