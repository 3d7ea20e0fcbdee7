package dev.penstock.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import dev.penstock.server.AdminToken.Role;
import dev.penstock.server.internal.admin.Operator;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.Caller;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the token of each call on the admin port, and what its role allows. */
final class AdminTokens {
    /** What callers on this machine may do if no token is configured. */
    enum WithoutTokens {
        READ_AND_CHANGE,
        /** One change would reach every node that shares the store, so it needs a token. */
        READ
    }

    private static final String NO_TOKEN =
            "This node shares its store with others, so changes need a token, and none is"
                    + " configured (expected: admin.token or admin.token_file).";

    /** By the hash of each: looking one up tells, by the time that it takes, nothing of any token. */
    private final Map<ByteBuffer, AdminToken> tokens = new HashMap<>();

    private final WithoutTokens withoutTokens;

    AdminTokens(List<AdminToken> tokens, WithoutTokens withoutTokens) {
        this.withoutTokens = withoutTokens;
        tokens.forEach(token -> this.tokens.put(Secret.hash(token.secret().text()), token));
    }

    /** For what changes nothing: any token will do. */
    HttpService reading(HttpService service) {
        return guarding(service, Role.READ);
    }

    /** For what changes something. */
    HttpService changing(HttpService service) {
        return guarding(service, Role.WRITE);
    }

    private HttpService guarding(HttpService service, Role needed) {
        if (tokens.isEmpty()) {
            return needed == Role.READ || withoutTokens == WithoutTokens.READ_AND_CHANGE
                    ? service
                    : service.decorate((guarded, context, request) -> forbidden(NO_TOKEN));
        }
        return service.decorate((guarded, context, request) -> {
            String shown = Caller.token(request.headers());
            AdminToken token = shown == null ? null : tokens.get(Secret.hash(shown));
            if (token == null) {
                return BearerTokens.unauthorized();
            } else if (needed == Role.WRITE && token.role() != Role.WRITE) {
                return forbidden(
                        "The token " + token.name() + " may read, and change nothing (expected: one of admin.token).");
            }
            Operator.note(context, token.name());
            return guarded.serve(context, request);
        });
    }

    private static HttpResponse forbidden(String detail) {
        return Answers.problem(Problem.ofRequest(HttpStatus.FORBIDDEN.code(), detail, null), List.of());
    }
}
