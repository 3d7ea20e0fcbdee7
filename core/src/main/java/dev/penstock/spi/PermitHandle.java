package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.time.Instant;

/**
 * The name of a permit that an engine gave, and when it expires.
 *
 * @param id begins with the name of the engine that issued it; whoever knows it can settle the permit
 */
public record PermitHandle(String id, Instant expiresAt) {
    public PermitHandle {
        Expect.text(id, "id");
        Expect.present(expiresAt, "expiresAt");
    }

    /** Without the id: whoever reads a log must not be able to settle the permit. */
    @Override
    public String toString() {
        return "PermitHandle[expiresAt=" + expiresAt + "]";
    }
}
