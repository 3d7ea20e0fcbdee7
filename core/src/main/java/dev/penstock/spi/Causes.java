package dev.penstock.spi;

import org.jspecify.annotations.Nullable;

/** Searches the causes of a failure. */
final class Causes {
    private static final int MAX_DEPTH = 10;

    private Causes() {}

    /** Returns the failure or the first of its causes that has this type, or null. */
    static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_DEPTH && cause != null; i++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
