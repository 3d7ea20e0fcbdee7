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
 * Makes changes requested over HTTP. Each change is recorded in the audit log first, and is not made if that fails.
 * Thread-safe.
 */
public final class Changes {
    private static final System.Logger LOG = System.getLogger(Changes.class.getName());

    /** The recorded result of a change that was reported as failed, and was made after all. */
    static final String LATE = "done late";

    /** The recorded result of a change that failed because of an internal error. */
    private static final String FAILED = "failed";

    private final AuditLog log;

    public Changes(AuditLog log) {
        this.log = log;
    }

    /**
     * A requested change.
     *
     * @param what its name in the log: {@code keys.reset}
     * @param about its details for the log; null if the name says everything
     * @param making makes the change; called on a thread that may block
     */
    public record Change(String what, DecisionJson.@Nullable Writer about, Making making) {}

    /** Makes a change. */
    public interface Making {
        CompletionStage<Outcome> make();
    }

    /**
     * The outcome of a change.
     *
     * @param result the text for the log: {@code done}, or the reason for the failure
     * @param late completes if the change is made after all; null if that cannot happen
     */
    public record Outcome(
            String result, HttpResponse answer, @Nullable CompletionStage<?> late) {
        public Outcome(String result, HttpResponse answer) {
            this(result, answer, null);
        }

        public static Outcome done(HttpResponse answer) {
            return new Outcome("done", answer);
        }
    }

    /** Reads a requested change from a call without making it. */
    public interface Reading {
        Change read(ServiceRequestContext context, AggregatedHttpRequest request) throws BadRequest;
    }

    /** Returns a service that makes the changes that {@code reading} reads. */
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
            LOG.log(Level.ERROR, "a change was not made, because admin.audit_file cannot be written", e);
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
                        (made, failure) -> {
                            end(begun, failure == null ? made.result() : FAILED);
                            if (failure == null && made.late() != null) {
                                made.late().thenRunAsync(() -> endLate(begun), mayWait);
                            }
                        },
                        mayWait)
                .thenApply(Outcome::answer);
    }

    private void endLate(AuditEntry begun) {
        LOG.log(
                Level.WARNING,
                "the change " + begun.what() + " (" + begun.id() + ") by " + begun.who()
                        + " was reported as failed, but the store made it later");
        end(begun, LATE);
    }

    /** Records the result. If that fails, the log still has the line that announced the change. */
    private void end(AuditEntry begun, String result) {
        try {
            log.end(begun, result);
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.ERROR, "the result of a change cannot be written to admin.audit_file", e);
        }
    }

    private static HttpResponse notWritten() {
        String detail = "The change was not made, because admin.audit_file cannot be written.";
        return Answers.problem(Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), detail, null), List.of());
    }
}
