package dev.penstock.redis;

import dev.penstock.spi.NotCharged;
import dev.penstock.spi.StoreRefused;
import dev.penstock.spi.TripListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tells errors that one key is to blame for from failures of Redis. */
final class KeyErrors {
    /** What Redis and the scripts say of a key of another type, of no format that is known, or cut short. */
    private static final List<String> OF_A_KEY = List.of(
            "WRONGTYPE",
            "PENSTOCK FORMAT",
            "data string too short",
            "Missing bytes in input",
            "Bad data format in input");

    private static final int MOST_SHOWN = 500;
    private static final int DEEPEST_CAUSE = 10;
    private static final String MOVED = "MOVED ";

    private KeyErrors() {}

    /** Whether a Cluster says that another node has the slot, for good or while it moves. Nothing was changed. */
    static boolean isRedirection(String error) {
        return error.startsWith(MOVED) || error.startsWith("ASK ");
    }

    /** Whether a failure comes down to a slot that another node has for good. */
    static boolean isMoved(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            if (String.valueOf(cause.getMessage()).startsWith(MOVED)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Whether an error is about what one key holds, and not about the server. */
    static boolean isOfAKey(String error) {
        return OF_A_KEY.stream().anyMatch(error::contains);
    }

    /**
     * The failure: {@link StoreRefused} if one of the keys holds something else or an unknown format, {@link NotCharged} if
     * Redis rejects everything.
     */
    static <T> CompletionStage<T> failed(Throwable failure, String... keys) {
        Throwable cause = ScriptRunner.cause(failure);
        String error = String.valueOf(cause.getMessage());
        if (!isOfAKey(error)) {
            boolean isRejected = TripReports.kindOf(cause) == TripListener.Kind.REFUSED || isRedirection(error);
            return CompletableFuture.failedStage(isRejected ? NotCharged.rejected(cause) : failure);
        }
        String names = String.join(" ", keys);
        String shown = names.length() <= MOST_SHOWN ? names : names.substring(0, MOST_SHOWN) + "...";
        StoreRefused refused =
                new StoreRefused("one of " + shown + " holds what no Penstock wrote (expected: a state): " + error);
        refused.initCause(cause);
        return CompletableFuture.failedStage(refused);
    }
}
