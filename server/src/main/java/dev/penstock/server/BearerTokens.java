package dev.penstock.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.internal.fields.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets only those through who show one of some tokens; everybody where there is none. */
final class BearerTokens {
    private static final String SCHEME = "Bearer ";
    private static final ResponseHeaders UNAUTHENTICATED = ResponseHeaders.builder(HttpStatus.OK)
            .endOfStream(true)
            .set("content-type", "application/grpc")
            .set("grpc-status", "16")
            .set("grpc-message", "a bearer token is needed")
            .build();

    private final List<Secret> tokens;

    BearerTokens(List<Secret> tokens) {
        this.tokens = tokens;
    }

    HttpService guarding(HttpService service) {
        if (tokens.isEmpty()) {
            return service;
        }
        return (context, request) -> isKnown(request.headers().get("authorization"))
                ? service.serve(context, request)
                : HttpResponse.of(
                        ResponseHeaders.of(
                                HttpStatus.UNAUTHORIZED,
                                "www-authenticate",
                                "Bearer",
                                "content-type",
                                Problem.MEDIA_TYPE),
                        HttpData.wrap(
                                Problem.ofRequest(HttpStatus.UNAUTHORIZED.code(), "a bearer token is asked for", null)
                                        .toJson()));
    }

    /** The same for gRPC, whose callers look for their answer in another place than the status of HTTP. */
    HttpService guardingCalls(HttpService service) {
        return tokens.isEmpty()
                ? service
                : service.decorate(
                        (calls, context, request) -> isKnown(request.headers().get("authorization"))
                                ? calls.serve(context, request)
                                : HttpResponse.of(UNAUTHENTICATED));
    }

    /** Compares with every token, so that the time tells nothing of which is right. */
    private boolean isKnown(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        String shown = authorization.substring(SCHEME.length()).strip();
        boolean known = false;
        for (Secret token : tokens) {
            known |= token.matches(shown);
        }
        return known;
    }
}
