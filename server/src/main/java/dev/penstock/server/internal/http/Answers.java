package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.UncountedUnitException;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import dev.penstock.server.internal.fields.Problem;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Builds the responses that all services share. */
public final class Answers {
    private static final System.Logger LOG = System.getLogger(Answers.class.getName());

    private Answers() {}

    /** Returns a JSON document. */
    public static HttpResponse json(HttpStatus status, HttpData body) {
        return HttpResponse.of(
                ResponseHeaders.of(
                        status,
                        HttpHeaderNames.CONTENT_TYPE,
                        MediaType.JSON,
                        HttpHeaderNames.CONTENT_LENGTH,
                        body.length()), // otherwise Armeria would copy the headers
                body);
    }

    /** Returns a problem document about a malformed request. */
    private static HttpResponse bad(BadRequest problem) {
        return problem(
                Problem.ofRequest(HttpStatus.BAD_REQUEST.code(), String.valueOf(problem.getMessage()), problem.field()),
                List.of());
    }

    /** Returns true if the decision only reports that another call has used the caller's key. */
    static boolean isOfAnotherCall(Decision decision) {
        return decision instanceof Denied denied && denied.reason() == Denied.Reason.ID_TAKEN;
    }

    /** Returns a problem document about a key that another call has used. */
    static HttpResponse ofAnotherCall() {
        String detail =
                IdempotencyKeyHeader.NAME + ": already used by another call (expected: a new key for each call)";
        return problem(
                Problem.ofRequest(HttpStatus.UNPROCESSABLE_ENTITY.code(), detail, IdempotencyKeyHeader.NAME),
                List.of());
    }

    /** Returns true if the node denied the request because it is overloaded. */
    static boolean isOverloaded(Decision decision) {
        return decision instanceof Denied denied && denied.reason() == Denied.Reason.OVERLOADED;
    }

    /**
     * Returns a 503 for a request that an overloaded node denied: a problem document and the decision's header fields.
     * {@code Retry-After} is sent even if {@code headers.retry_after} is off.
     */
    public static HttpResponse overloaded(Denied denied, DecisionFields fields) {
        int status = HttpStatus.SERVICE_UNAVAILABLE.code();
        return problem(Problem.of(denied, status), fields.withRetryAfter(denied));
    }

    /** Returns a problem document with these header fields in addition to its own. */
    public static HttpResponse problem(Problem problem, List<HeaderField> fields) {
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(HttpStatus.valueOf(problem.status())).set("content-type", Problem.MEDIA_TYPE);
        headers.set("cache-control", "no-store");
        fields.forEach(field -> headers.set(field.name(), field.value()));
        return HttpResponse.of(headers.build(), HttpData.wrap(problem.toJson()));
    }

    /** Makes a response. */
    interface ResponseFactory {
        /**
         * Makes the response.
         *
         * @throws BadRequest if the request is malformed
         * @throws IllegalArgumentException if the policies cannot match the request
         */
        CompletionStage<HttpResponse> make() throws BadRequest;
    }

    /** Returns the response. If it is ready, it is returned directly, because a deferred response costs more. */
    static HttpResponse of(ResponseFactory maker) {
        try {
            CompletableFuture<HttpResponse> response = maker.make().toCompletableFuture();
            boolean isThere = response.isDone() && !response.isCompletedExceptionally();
            return isThere ? response.join() : HttpResponse.of(response.exceptionally(Answers::failed));
        } catch (BadRequest e) {
            return bad(e);
        } catch (IllegalArgumentException e) {
            return bad(new BadRequest(null, String.valueOf(e.getMessage())));
        } catch (Throwable e) {
            return failed(e);
        }
    }

    /** Returns the response to a request that failed: 400 if it states a cost in a wrong unit, otherwise 500. */
    private static HttpResponse failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof UncountedUnitException uncounted) {
            return bad(new BadRequest(uncounted.field(), uncounted.problem()));
        }
        LOG.log(Level.ERROR, "a request could not be answered", cause);
        return problem(
                Problem.ofRequest(HttpStatus.INTERNAL_SERVER_ERROR.code(), "the service failed", null), List.of());
    }
}
