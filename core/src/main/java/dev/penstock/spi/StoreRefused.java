package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * A reply fails with this exception if a healthy store rejects a key that holds data Penstock did
 * not write. Nothing was changed, and other keys are not affected.
 */
public final class StoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message names the key, in one line
     */
    public StoreRefused(String message) {
        super(Expect.text(message, "message"));
    }

    /** Returns this failure if it is one of the causes, or null. */
    public static @Nullable StoreRefused in(@Nullable Throwable failure) {
        return Causes.find(failure, StoreRefused.class);
    }
}
