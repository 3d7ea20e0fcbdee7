package dev.penstock.spi;

import org.jspecify.annotations.Nullable;

/** Looks through the causes of a failure. */
final class Causes {
    private static final int MAX_DEPTH = 10;

    private Causes() {}

    /** The failure, or the first of its causes, that has the given type; null if none has. */
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
