package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.time.Instant;

/**
 * The id of a permit that an engine issued, and its expiry. Immutable.
 *
 * @param id starts with the name of the engine that issued it. Anybody who knows the id can settle the permit
 * @param expiresAt when the permit expires unless it is renewed
 */
public record PermitHandle(String id, Instant expiresAt) {
    public PermitHandle {
        Expect.text(id, "id");
        Expect.present(expiresAt, "expiresAt");
    }

    /** Returns a text without the id, so that a reader of a log cannot settle the permit. */
    @Override
    public String toString() {
        return "PermitHandle[expiresAt=" + expiresAt + "]";
    }
}
