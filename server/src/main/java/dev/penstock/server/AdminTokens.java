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

/** Checks the token of each call on the admin port against the role that the call requires. */
final class AdminTokens {
    /** The permissions of callers on this machine if no token is configured. */
    enum WithoutTokens {
        READ_AND_CHANGE,
        /** Changes need a token, because each change affects every node that shares the store. */
        READ
    }

    private static final String NO_TOKEN =
            "This node shares its store with others, so changes need a token, and none is"
                    + " configured (expected: PENSTOCK_ADMIN_TOKEN or admin.token_file).";

    /** Tokens by their hash, so that the time of a lookup reveals nothing about any token. */
    private final Map<ByteBuffer, AdminToken> tokens = new HashMap<>();

    private final WithoutTokens withoutTokens;

    AdminTokens(List<AdminToken> tokens, WithoutTokens withoutTokens) {
        this.withoutTokens = withoutTokens;
        tokens.forEach(token -> this.tokens.put(Secret.hash(token.secret().text()), token));
    }

    /** Protects a call that changes nothing: any token will do. */
    HttpService reading(HttpService service) {
        return guarding(service, Role.READ);
    }

    /** Protects a call that changes something. */
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
                return forbidden("The token " + token.name() + " is read-only (expected: a token with full access).");
            }
            Operator.note(context, token.name());
            return guarded.serve(context, request);
        });
    }

    private static HttpResponse forbidden(String detail) {
        return Answers.problem(Problem.ofRequest(HttpStatus.FORBIDDEN.code(), detail, null), List.of());
    }
}
