package dev.penstock.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.internal.fields.Problem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lets only those through who show one of some tokens; everybody where there is none. */
final class BearerTokens {
    private static final String SCHEME = "Bearer ";

    /** Of each token its hash: looking one up tells, by the time that it takes, nothing of any token. */
    private final Set<ByteBuffer> hashes;

    BearerTokens(List<Secret> tokens) {
        this.hashes = tokens.stream().map(Secret::text).map(Secret::hash).collect(Collectors.toUnmodifiableSet());
    }

    HttpService guarding(HttpService service) {
        if (hashes.isEmpty()) {
            return service;
        }
        return (context, request) ->
                isKnown(request.headers().get("authorization")) ? service.serve(context, request) : unauthorized();
    }

    private boolean isKnown(@Nullable String authorization) {
        return authorization != null
                && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && hashes.contains(
                        Secret.hash(authorization.substring(SCHEME.length()).strip()));
    }

    private static HttpResponse unauthorized() {
        Problem problem = Problem.ofRequest(HttpStatus.UNAUTHORIZED.code(), "A bearer token has to be shown.", null);
        return HttpResponse.of(
                ResponseHeaders.of(
                        HttpStatus.UNAUTHORIZED,
                        "www-authenticate",
                        "Bearer",
                        "content-type",
                        Problem.MEDIA_TYPE,
                        "cache-control",
                        "no-store"),
                HttpData.wrap(problem.toJson()));
    }
}
