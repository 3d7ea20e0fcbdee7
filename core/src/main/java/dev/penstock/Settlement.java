package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Reply;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The result of settling, releasing or renewing a permit. Immutable.
 *
 * @param status what happened
 * @param settled the final cost per unit, without slots; empty unless settled. If several limits count a unit, it is
 *     the largest of their costs
 * @param charged the cost that was charged per unit. It is less than {@code settled} if a limit reached its maximum
 *     debt, and more if a turn of a leaky bucket could not be given back because others are queued behind it. If
 *     several limits count a unit, it describes the limit that charged the least
 * @param expiresAt the new expiry of a renewed permit, otherwise null
 */
public record Settlement(
        Status status,
        Costs settled,
        Costs charged,
        @Nullable Instant expiresAt) implements Reply<Settlement> {
    /** The state of the permit after the call. */
    public enum Status {
        /** The permit is settled. If it had been settled before, this repeats the first answer. */
        SETTLED,
        /** The permit was extended. */
        RENEWED,
        /**
         * The permit had expired before the call, and its cost was charged or given back as its {@link Hold.Expiry}
         * says.
         */
        EXPIRED,
        /**
         * The engine does not know the permit, and did nothing. A guard also reports this if its
         * queue is full. A limiter also reports this if the engine fails or does not answer in
         * time. In that case, the call may have taken effect.
         */
        UNKNOWN,
        /**
         * The call is queued because the store does not answer. It is applied when the store is back, unless the permit
         * has expired by then.
         */
        PENDING
    }

    public Settlement {
        Expect.present(status, "status");
        Expect.present(settled, "settled");
        Expect.present(charged, "charged");
    }

    /** Returns the result of a settled permit whose whole cost was charged. */
    public static Settlement settled(Costs costs) {
        return new Settlement(Status.SETTLED, costs, costs, null);
    }

    /**
     * Returns this result including another limit that counts a unit. For engines.
     *
     * @param cost the final cost for that limit
     * @param chargedByLimit the amount that the limit charged
     */
    public Settlement and(String unit, long cost, long chargedByLimit) {
        boolean isFirst = settled.amount(unit, -1) < 0;
        long largest = Math.max(settled.amount(unit, cost), cost);
        long missing = cost - chargedByLimit;
        long mostMissing = isFirst ? missing : Math.max(missing, settled.amount(unit, 0) - charged.amount(unit, 0));
        return new Settlement(status, settled.and(unit, largest), charged.and(unit, largest - mostMissing), expiresAt);
    }

    /** Returns this result including that of another part of the same permit. For engines. */
    public Settlement and(Settlement other) {
        Settlement both = this;
        for (String unit : other.settled.asMap().keySet()) {
            both = both.and(unit, other.settled.amount(unit, 0), other.charged.amount(unit, 0));
        }
        return both;
    }

    /** Returns the result of a renewed permit. */
    public static Settlement renewed(Instant expiresAt) {
        return new Settlement(Status.RENEWED, Costs.NONE, Costs.NONE, expiresAt);
    }

    /** Returns the result for an expired permit. */
    public static Settlement expired() {
        return new Settlement(Status.EXPIRED, Costs.NONE, Costs.NONE, null);
    }

    /** Returns the result for an unknown permit. */
    public static Settlement unknown() {
        return new Settlement(Status.UNKNOWN, Costs.NONE, Costs.NONE, null);
    }

    /** Returns the result for a permit whose store does not answer. */
    public static Settlement pending() {
        return new Settlement(Status.PENDING, Costs.NONE, Costs.NONE, null);
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
