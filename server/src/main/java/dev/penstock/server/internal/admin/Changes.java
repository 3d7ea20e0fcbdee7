package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes that are asked for over HTTP, each written down before it is made: one that cannot be written down is not
 * made. Thread-safe.
 */
public final class Changes {
    private static final System.Logger LOG = System.getLogger(Changes.class.getName());

    /** What is written down of a change that failed by a fault of ours. */
    private static final String FAILED = "failed";

    private final AuditLog log;

    public Changes(AuditLog log) {
        this.log = log;
    }

    /**
     * Something that is to be changed.
     *
     * @param what as the log calls it: {@code keys.reset}
     * @param about to what, for the log; null where the word says it all
     * @param making changes it; called on a thread that may wait
     */
    public record Change(String what, DecisionJson.@Nullable Writer about, Making making) {}

    /** Makes a change. */
    public interface Making {
        CompletionStage<Outcome> make();
    }

    /**
     * What came of a change.
     *
     * @param result for the log: {@code done}, or why not
     */
    public record Outcome(String result, HttpResponse answer) {
        public static Outcome done(HttpResponse answer) {
            return new Outcome("done", answer);
        }
    }

    /** Reads what a caller wants changed, and changes nothing yet. */
    public interface Reading {
        Change read(ServiceRequestContext context, AggregatedHttpRequest request) throws BadRequest;
    }

    /** The service that makes such changes. */
    public AggregatedService service(Reading reading) {
        return (context, request) -> {
            Change change = reading.read(context, request);
            String who = Operator.of(context);
            String from = context.clientAddress().getHostAddress();
            Executor mayWait = context.blockingTaskExecutor();
            return CompletableFuture.supplyAsync(() -> begin(who, from, change), mayWait)
                    .thenComposeAsync(
                            begun -> begun == null
                                    ? CompletableFuture.completedStage(notWritten())
                                    : make(change, begun, mayWait),
                            mayWait);
        };
    }

    private @Nullable AuditEntry begin(String who, String from, Change change) {
        try {
            return log.begin(who, from, change.what(), change.about());
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.ERROR, "a change cannot be written down in admin.audit_file, and is not made", e);
            return null;
        }
    }

    private CompletionStage<HttpResponse> make(Change change, AuditEntry begun, Executor mayWait) {
        CompletionStage<Outcome> outcome;
        try {
            outcome = change.making().make();
        } catch (RuntimeException e) {
            outcome = CompletableFuture.failedStage(e);
        }
        return outcome.whenCompleteAsync(
                        (made, failure) -> end(begun, failure == null ? made.result() : FAILED), mayWait)
                .thenApply(Outcome::answer);
    }

    /** It was made, and is written down as begun: all that is lost is what came of it. */
    private void end(AuditEntry begun, String result) {
        try {
            log.end(begun, result);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.ERROR, "what came of a change cannot be written down in admin.audit_file", e);
        }
    }

    private static HttpResponse notWritten() {
        String detail = "The change cannot be written down in admin.audit_file, and was not made.";
        return Answers.problem(Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), detail, null), List.of());
    }
}
