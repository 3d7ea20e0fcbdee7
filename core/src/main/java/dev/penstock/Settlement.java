package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Reply;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What became of a permit that was settled, released or renewed.
 *
 * @param charged what was charged in the end, per unit; slots are not charged. Empty unless settled
 * @param expiresAt the new expiry of a renewed permit; else null
 */
public record Settlement(
        Status status, Costs charged, @Nullable Instant expiresAt) implements Reply<Settlement> {
    /** How it went. */
    public enum Status {
        /** The permit is settled: now, or earlier, in which case the answer is that of the first time. */
        SETTLED,
        /** The permit lives on. */
        RENEWED,
        /** Too late: the permit had expired, and its hold's {@link Hold.Expiry} was carried out. */
        EXPIRED,
        /** No such permit is remembered; nothing was done. */
        UNKNOWN,
        /** The store is away: it is told as soon as it is back, which has an effect if the permit lives until then. */
        PENDING
    }

    public Settlement {
        Expect.present(status, "status");
        Expect.present(charged, "charged");
    }

    public static Settlement settled(Costs charged) {
        return new Settlement(Status.SETTLED, charged, null);
    }

    public static Settlement renewed(Instant expiresAt) {
        return new Settlement(Status.RENEWED, Costs.NONE, expiresAt);
    }

    public static Settlement expired() {
        return new Settlement(Status.EXPIRED, Costs.NONE, null);
    }

    public static Settlement unknown() {
        return new Settlement(Status.UNKNOWN, Costs.NONE, null);
    }

    public static Settlement pending() {
        return new Settlement(Status.PENDING, Costs.NONE, null);
    }

    @Override
    public Settlement ifReady() {
        return this;
    }

    @Override
    public CompletionStage<Settlement> whenReady() {
        return CompletableFuture.completedFuture(this);
    }
}
