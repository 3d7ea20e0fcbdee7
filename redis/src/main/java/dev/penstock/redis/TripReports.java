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
 * Reports how long commands to Redis took and how they failed: to the listener for metrics, and failures as evidence against
 * the server. Whatever the listener does changes no answer.
 */
final class TripReports {
    private static final System.Logger LOG = System.getLogger(TripReports.class.getName());

    /** The code of errors without one of their own, such as a script that breaks off. */
    private static final String GENERIC_ERROR = "ERR ";

    private final TripListener listener;
    private final TripEvidence evidence;
    private final Clock clock;
    private final UnaryOperator<String> shardOf;
    private final UnaryOperator<String> serverOf;

    /**
     * @param shardOf the shard that has a key, as it is judged
     * @param serverOf the server that has it, as the listener knows it
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

    /** @param key one of those that it is about */
    <T> CompletionStage<T> watch(String key, Supplier<? extends CompletionStage<T>> send) {
        if (listener == TripListener.NONE && !evidence.isWanted()) {
            return send.get();
        }
        long sentMicros = clock.micros();
        CompletionStage<T> answer;
        try {
            answer = send.get();
        } catch (RuntimeException e) {
            tell(key, sentMicros, e);
            throw e;
        }
        answer.whenComplete((value, failure) -> tell(key, sentMicros, failure));
        return answer;
    }

    void together(int asks) {
        try {
            listener.onBatch(asks);
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    /** Replicas did not confirm a charge, which is no evidence against the server that made it. */
    void unconfirmed(ReplicasMissing missing) {
        Throwable cause = missing.getCause();
        Kind kind = cause == null ? Kind.REPLICAS : kindOf(ScriptRunner.cause(cause));
        try {
            listener.onFailure(kind == null ? Kind.OTHER : kind);
        } catch (RuntimeException e) {
            complain(e);
        }
    }

    private void tell(String key, long sentMicros, @Nullable Throwable failure) {
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

    /** That a key holds something else, or is just moving, says nothing about the server. */
    private void reportFailure(String key, Throwable failure) {
        String message = String.valueOf(ScriptRunner.cause(failure).getMessage());
        if (!KeyErrors.isAboutAKey(message) && !KeyErrors.isBetweenNodes(message)) {
            evidence.failed(shardOf.apply(key), failure);
        }
    }

    private static void complain(RuntimeException failure) {
        LOG.log(Level.WARNING, "a trip listener failed", failure);
    }

    /** The kind of a failure; null if it is none: a script that Redis does not know yet, or a slot that another node has. */
    static @Nullable Kind kindOf(Throwable cause) {
        if (cause instanceof RedisCommandExecutionException error) {
            return kindOf(error);
        } else if (cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException) {
            return Kind.TIMEOUT;
        }
        boolean isOfConnection = cause instanceof RedisException
                || cause instanceof IOException
                || cause instanceof NotCharged
                || cause instanceof IllegalStateException; // also that there is none any more
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
