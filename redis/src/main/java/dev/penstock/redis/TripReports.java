package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.ReplicasMissing;
import dev.penstock.spi.TripListener;
import dev.penstock.spi.TripListener.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reports how long commands to Redis took and how they failed: everything to the listener for metrics, and failures
 * also as evidence against the server. Failures of the listener change no answer.
 */
final class TripReports {
    private static final System.Logger LOG = System.getLogger(TripReports.class.getName());

    /** The code of errors that have no code of their own, for example if a script fails. */
    private static final String GENERIC_ERROR = "ERR ";

    private final TripListener listener;
    private final TripEvidence evidence;
    private final Clock clock;
    private final UnaryOperator<String> shardOf;
    private final UnaryOperator<String> serverOf;

    /**
     * Creates the reports of one engine.
     *
     * @param shardOf returns the shard that has a key, as named in evidence
     * @param serverOf returns the server that has a key, as named to the listener
     */
    TripReports(
            TripListener listener,
            TripEvidence evidence,
            Clock clock,
            UnaryOperator<String> shardOf,
            UnaryOperator<String> serverOf) {
        this.listener = listener;
        this.evidence = evidence;
        this.clock = clock;
        this.shardOf = shardOf;
        this.serverOf = serverOf;
    }

    /**
     * Sends a command and reports how it went.
     *
     * @param key one of the command's keys
     */
    <T> CompletionStage<T> watch(String key, Supplier<? extends CompletionStage<T>> send) {
        if (listener == TripListener.NONE && !evidence.isWanted()) {
            return send.get();
        }
        long sentMicros = clock.micros();
        CompletionStage<T> answer;
        try {
            answer = send.get();
        } catch (RuntimeException e) {
            report(key, sentMicros, e);
            throw e;
        }
        answer.whenComplete((value, failure) -> report(key, sentMicros, failure));
        return answer;
    }

    void together(int asks) {
        try {
            listener.onBatch(asks);
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    /** Reports a charge that replicas did not acknowledge. This is no evidence against the server that made it. */
    void unconfirmed(ReplicasMissing missing) {
        Throwable cause = missing.getCause();
        Kind kind = cause == null ? Kind.REPLICAS : kindOf(ScriptRunner.cause(cause));
        try {
            listener.onFailure(kind == null ? Kind.OTHER : kind);
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    private void report(String key, long sentMicros, @Nullable Throwable failure) {
        try {
            Kind kind = failure == null ? null : kindOf(ScriptRunner.cause(failure));
            if (kind != null && failure != null) {
                listener.onFailure(kind);
                reportFailure(key, failure);
            }
            if (kind == null || kind == Kind.REFUSED || kind == Kind.SCRIPT) {
                listener.onTrip(serverOf.apply(key), Math.max(0, clock.micros() - sentMicros));
            }
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    /**
     * Reports a failure as evidence against the server, unless it is about one key that holds foreign data or whose
     * slot is being moved.
     */
    private void reportFailure(String key, Throwable failure) {
        String message = String.valueOf(ScriptRunner.cause(failure).getMessage());
        if (!KeyErrors.isAboutAKey(message) && !KeyErrors.isBetweenNodes(message)) {
            evidence.failed(shardOf.apply(key), failure);
        }
    }

    private static void complain(RuntimeException failure) {
        LOG.log(Level.WARNING, "a trip listener failed", failure);
    }

    /**
     * Returns the kind of a failure. Null if it is only a script that Redis does not know yet, or a slot that is on
     * another node.
     */
    static @Nullable Kind kindOf(Throwable cause) {
        if (cause instanceof RedisCommandExecutionException error) {
            return kindOf(error);
        } else if (cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException) {
            return Kind.TIMEOUT;
        }
        boolean isOfConnection = cause instanceof RedisException
                || cause instanceof IOException
                || cause instanceof NotCharged
                || cause instanceof IllegalStateException; // also thrown if there is no connection any longer
        return isOfConnection ? Kind.CONNECTION : Kind.OTHER;
    }

    private static @Nullable Kind kindOf(RedisCommandExecutionException error) {
        String message = String.valueOf(error.getMessage());
        if (error instanceof RedisNoScriptException || KeyErrors.isRedirection(message)) {
            return null;
        }
        return message.startsWith(GENERIC_ERROR) ? Kind.SCRIPT : Kind.REFUSED;
    }
}
