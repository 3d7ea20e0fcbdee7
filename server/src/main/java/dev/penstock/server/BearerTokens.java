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

/** Lets only those through who show one of some tokens; where there is none, everybody but pages of other sites. */
final class BearerTokens {
    private static final ResponseHeaders UNAUTHENTICATED = ResponseHeaders.builder(HttpStatus.OK)
            .endOfStream(true)
            .set("content-type", "application/grpc")
            .set("grpc-status", "16")
            .set("grpc-message", "a bearer token is needed")
            .build();

    /** Of each token its hash: looking one up tells, by the time that it takes, nothing of any token. */
    private final Set<ByteBuffer> hashes;

    private final List<String> hosts;

    /** @param hosts the names by which pages may call, if no token is needed */
    BearerTokens(List<Secret> tokens, List<String> hosts) {
        this.hosts = hosts;
        this.hashes = tokens.stream().map(Secret::text).map(Secret::hash).collect(Collectors.toUnmodifiableSet());
    }

    HttpService guarding(HttpService service) {
        return hashes.isEmpty()
                ? service.decorate(CrossSiteCheck.only(CrossSiteCheck.HostCheck.CALLS_OF_PAGES, hosts))
                : guardingGateways(service);
    }

    /** The same for what gateways ask, who pass on what a browser told them of its page. */
    HttpService guardingGateways(HttpService service) {
        return guarding(service, BearerTokens::unauthorized);
    }

    /** The same for gRPC, whose callers look for their answer in another place than the status of HTTP. */
    HttpService guardingCalls(HttpService service) {
        return guarding(service, () -> HttpResponse.of(UNAUTHENTICATED));
    }

    /** A decorator, unlike another service around this one, leaves it its own way of taking requests. */
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
                Problem.ofRequest(HttpStatus.UNAUTHORIZED.code(), "A bearer token has to be shown.", null),
                List.of(new HeaderField("www-authenticate", "Bearer")));
    }
}
