package dev.penstock.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.internal.fields.HeaderField;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.Caller;
import dev.penstock.server.internal.http.CrossSiteCheck;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Requires one of a set of tokens. If the set is empty, it admits every caller except web pages of other sites. */
final class BearerTokens {
    private static final ResponseHeaders UNAUTHENTICATED = ResponseHeaders.builder(HttpStatus.OK)
            .endOfStream(true)
            .set("content-type", "application/grpc")
            .set("grpc-status", "16")
            .set("grpc-message", "a bearer token is required")
            .build();

    /** Hashes of the tokens, so that the time of a lookup reveals nothing about any token. */
    private final Set<ByteBuffer> hashes;

    private final List<String> hosts;

    /** @param hosts the host names under which web pages may call, if no token is needed */
    BearerTokens(List<Secret> tokens, List<String> hosts) {
        this.hosts = hosts;
        this.hashes = tokens.stream().map(Secret::text).map(Secret::hash).collect(Collectors.toUnmodifiableSet());
    }

    HttpService guarding(HttpService service) {
        return hashes.isEmpty()
                ? service.decorate(CrossSiteCheck.only(CrossSiteCheck.HostCheck.CALLS_OF_PAGES, hosts))
                : guardingGateways(service);
    }

    /**
     * Protects calls from gateways. They forward what a browser said about its page, so no check for other sites
     * applies.
     */
    HttpService guardingGateways(HttpService service) {
        return guarding(service, BearerTokens::unauthorized);
    }

    /** Protects gRPC calls. Their clients expect the error in {@code grpc-status}, not in the HTTP status. */
    HttpService guardingCalls(HttpService service) {
        return guarding(service, () -> HttpResponse.of(UNAUTHENTICATED));
    }

    /** Uses a decorator, because a wrapping service would hide how the wrapped service reads its requests. */
    private HttpService guarding(HttpService service, Supplier<HttpResponse> refusal) {
        return hashes.isEmpty()
                ? service
                : service.decorate((guarded, context, request) ->
                        isKnown(request.headers()) ? guarded.serve(context, request) : refusal.get());
    }

    private boolean isKnown(RequestHeaders headers) {
        String token = Caller.token(headers);
        return token != null && hashes.contains(Secret.hash(token));
    }

    static HttpResponse unauthorized() {
        return Answers.problem(
                Problem.ofRequest(HttpStatus.UNAUTHORIZED.code(), "A bearer token is required.", null),
                List.of(new HeaderField("www-authenticate", "Bearer")));
    }
}
