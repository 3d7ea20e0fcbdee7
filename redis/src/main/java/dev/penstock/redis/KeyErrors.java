package dev.penstock.redis;

import dev.penstock.spi.NotCharged;
import dev.penstock.spi.StoreRefused;
import dev.penstock.spi.TripListener;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Distinguishes errors about one key from failures of Redis by the error's code, which is its first word and part of
 * the protocol. The rest of an error is text for humans and is never evaluated.
 */
final class KeyErrors {
    /** The key has another type, or a value that Penstock did not write (reported by {@code foreign_value.lua}). */
    private static final Set<String> ABOUT_A_KEY = Set.of("WRONGTYPE", "FOREIGNVALUE");

    /** Another node of a Cluster has the slot, permanently or while the slot is being moved. */
    private static final String MOVED = "MOVED";

    private static final String ASK = "ASK";

    /** A slot is being moved, and some of the keys are on each node. */
    private static final String BETWEEN_NODES = "TRYAGAIN";

    private static final int MOST_SHOWN = 500;
    private static final int DEEPEST_CAUSE = 10;

    private KeyErrors() {}

    private static String code(String error) {
        int end = error.indexOf(' ');
        return end < 0 ? error : error.substring(0, end);
    }

    /**
     * Returns whether another node of a Cluster has the slot, permanently or while the slot is being moved. Nothing was
     * changed.
     */
    static boolean isRedirection(String error) {
        String code = code(error);
        return code.equals(MOVED) || code.equals(ASK);
    }

    /** Returns whether a slot is being moved and the command can be sent again. Nothing was changed. */
    static boolean isBetweenNodes(String error) {
        return code(error).equals(BETWEEN_NODES);
    }

    /** Returns whether a failure was caused by a slot that moved permanently to another node. */
    static boolean isMoved(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            if (code(String.valueOf(cause.getMessage())).equals(MOVED)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Returns whether an error is about the value of one key, and not about the server. */
    static boolean isAboutAKey(String error) {
        return ABOUT_A_KEY.contains(code(error));
    }

    /**
     * Returns the failure for callers: {@link StoreRefused} if one of the keys has a foreign value, {@link NotCharged}
     * if Redis rejected the command.
     */
    static <T> CompletionStage<T> failed(Throwable failure, String... keys) {
        Throwable cause = ScriptRunner.cause(failure);
        String error = String.valueOf(cause.getMessage());
        if (!isAboutAKey(error)) {
            boolean isRejected = TripReports.kindOf(cause) == TripListener.Kind.REFUSED || isRedirection(error);
            return CompletableFuture.failedStage(isRejected ? NotCharged.rejected(cause) : failure);
        }
        String names = String.join(" ", keys);
        String shown = names.length() <= MOST_SHOWN ? names : names.substring(0, MOST_SHOWN) + "...";
        StoreRefused refused = new StoreRefused(
                "one of " + shown + " holds data not written by Penstock (expected: a state): " + error);
        refused.initCause(cause);
        return CompletableFuture.failedStage(refused);
    }
}
