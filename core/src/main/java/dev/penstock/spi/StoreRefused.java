package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a reply by a store that is well: it will not do what was asked, since a key holds what no engine of its kind
 * wrote. Nothing was changed, and what concerns other keys it does.
 */
public final class StoreRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message names the key, in one line */
    public StoreRefused(String message) {
        super(Expect.text(message, "message"));
    }

    /** The refusal that a failure comes down to; null where it is another failure. */
    public static @Nullable StoreRefused in(@Nullable Throwable failure) {
        return Causes.find(failure, StoreRefused.class);
    }
}
