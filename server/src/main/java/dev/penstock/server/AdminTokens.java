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

/** Lets those use the admin port who show a token whose role allows it; where there is none, everybody on this machine. */
final class AdminTokens {
    /** By the hash of each: looking one up tells, by the time that it takes, nothing of any token. */
    private final Map<ByteBuffer, AdminToken> tokens = new HashMap<>();

    AdminTokens(List<AdminToken> tokens) {
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
            return service;
        }
        return service.decorate((guarded, context, request) -> {
            String shown = Caller.token(request.headers());
            AdminToken token = shown == null ? null : tokens.get(Secret.hash(shown));
            if (token == null) {
                return BearerTokens.unauthorized();
            } else if (needed == Role.WRITE && token.role() != Role.WRITE) {
                return forbidden(token.name());
            }
            Operator.note(context, token.name());
            return guarded.serve(context, request);
        });
    }

    private static HttpResponse forbidden(String name) {
        String detail = "The token " + name + " may read, and change nothing (expected: one of admin.token).";
        return Answers.problem(Problem.ofRequest(HttpStatus.FORBIDDEN.code(), detail, null), List.of());
    }
}
