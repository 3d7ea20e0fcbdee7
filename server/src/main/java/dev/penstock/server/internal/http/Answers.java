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
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import dev.penstock.server.internal.fields.Problem;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Responses that all services give in the same way. */
public final class Answers {
    private static final System.Logger LOG = System.getLogger(Answers.class.getName());

    private Answers() {}

    /** A document of JSON. */
    public static HttpResponse json(HttpStatus status, HttpData body) {
        return HttpResponse.of(
                ResponseHeaders.of(
                        status,
                        HttpHeaderNames.CONTENT_TYPE,
                        MediaType.JSON,
                        HttpHeaderNames.CONTENT_LENGTH,
                        body.length()), // else it would be added to a copy of them
                body);
    }

    /** A problem document about what a caller sent. */
    private static HttpResponse bad(BadRequest problem) {
        return problem(
                Problem.ofRequest(HttpStatus.BAD_REQUEST.code(), String.valueOf(problem.getMessage()), problem.field()),
                List.of());
    }

    /** Whether the decision says no more than that the caller's key is another call's. */
    static boolean isOfAnotherCall(Decision decision) {
        return decision instanceof Denied denied && denied.reason() == Denied.Reason.ID_TAKEN;
    }

    /** A problem document about a key that was sent before with another call. */
    static HttpResponse ofAnotherCall() {
        String detail =
                IdempotencyKeyHeader.NAME + ": sent before with another call (expected: a key of its own for each)";
        return problem(
                Problem.ofRequest(HttpStatus.UNPROCESSABLE_ENTITY.code(), detail, IdempotencyKeyHeader.NAME),
                List.of());
    }

    /** Whether the node denied the request because it is overloaded. */
    static boolean isOverloaded(Decision decision) {
        return decision instanceof Denied denied && denied.reason() == Denied.Reason.OVERLOADED;
    }

    /**
     * A 503 for a request that an overloaded node denied: a problem document and the decision's header fields.
     * {@code Retry-After} is sent even if {@code headers.retry_after} is off.
     */
    public static HttpResponse overloaded(Denied denied, DecisionFields fields) {
        int status = HttpStatus.SERVICE_UNAVAILABLE.code();
        return problem(Problem.of(denied, status), fields.withRetryAfter(denied));
    }

    /** A problem document, with these header fields beside its own. */
    public static HttpResponse problem(Problem problem, List<HeaderField> fields) {
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(HttpStatus.valueOf(problem.status())).set("content-type", Problem.MEDIA_TYPE);
        headers.set("cache-control", "no-store");
        fields.forEach(field -> headers.set(field.name(), field.value()));
        return HttpResponse.of(headers.build(), HttpData.wrap(problem.toJson()));
    }

    /** Makes a response. */
    interface Maker {
        /**
         * The response to what was asked.
         *
         * @throws BadRequest where the request is not as it should be
         * @throws IllegalArgumentException where the policies cannot be asked about it
         */
        CompletionStage<HttpResponse> make() throws BadRequest;
    }

    /** The response when it is made: itself where it is already, since one to wait for costs more. */
    static HttpResponse of(Maker maker) {
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

    /** What became of a request that was right, and failed. */
    private static HttpResponse failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        LOG.log(Level.ERROR, "a request could not be answered", cause);
        return problem(
                Problem.ofRequest(HttpStatus.INTERNAL_SERVER_ERROR.code(), "the service failed", null), List.of());
    }
}
