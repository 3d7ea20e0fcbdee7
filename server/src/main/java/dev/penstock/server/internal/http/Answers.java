package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Responses that all services give in the same way. */
final class Answers {
    private static final MediaType PROBLEM = MediaType.create("application", "problem+json");

    private Answers() {}

    static HttpResponse json(HttpStatus status, HttpData body) {
        return HttpResponse.of(ResponseHeaders.of(status, "content-type", "application/json"), body);
    }

    /** A problem document (RFC 9457) about what a caller sent. */
    static HttpResponse bad(BadRequest problem) {
        return problem(HttpStatus.BAD_REQUEST, problem.getMessage(), problem.field());
    }

    static HttpResponse problem(HttpStatus status, @Nullable String detail, @Nullable String field) {
        HttpData body = DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", status.reasonPhrase());
            json.writeNumberField("status", status.code());
            if (detail != null) {
                json.writeStringField("detail", detail);
            }
            if (field != null) {
                json.writeStringField("field", field);
            }
            json.writeEndObject();
        });
        return HttpResponse.of(
                ResponseHeaders.builder(status)
                        .contentType(PROBLEM)
                        .set("cache-control", "no-store")
                        .build(),
                body);
    }

    /** What became of a request that failed: bad where the policies could not read it. */
    static HttpResponse failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BadRequest bad) {
            return bad(bad);
        }
        if (cause instanceof IllegalArgumentException refused) {
            return problem(HttpStatus.BAD_REQUEST, refused.getMessage(), null);
        }
        return problem(HttpStatus.INTERNAL_SERVER_ERROR, null, null);
    }
}
