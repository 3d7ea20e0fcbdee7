package dev.penstock;

import dev.penstock.algorithm.State;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A decision that lets the request go on: now, or after {@link #delay} if a leaky bucket took part. Immutable.
 *
 * <p>If the request was reserved, or is under a concurrency limit, it {@linkplain #holdsPermit holds a permit}.
 */
public final class Allowed extends Decision {
    private final long delayMicros;
    private final @Nullable PermitHandle grant;

    /**
     * Creates a decision. For engines.
     *
     * @param delayMicros how long the request must wait for its turn
     * @param grant the permit that the request holds, or null
     */
    public Allowed(Evidence evidence, long delayMicros, @Nullable PermitHandle grant) {
        super(evidence);
        this.delayMicros = delayMicros;
        this.grant = grant;
    }

    /** Creates a decision by the store on one charge, whose state has no holds and no entries. For engines. */
    public Allowed(Charge only, State plain, long delayMicros, long madeAtMicros) {
        super(only, plain, madeAtMicros);
        this.delayMicros = delayMicros;
        this.grant = null;
    }

    /**
     * Returns this decision as the answer to a repeated ask. The ask has the same id, but other
     * charges, because the policies changed. The answer reports no limits. For engines.
     */
    public Allowed again(Ask ask) {
        Evidence unseen = Evidence.none(ask, evidence().madeAtMicros(), decidedBy());
        return new Allowed(unseen, delayMicros, grant);
    }

    /** Returns how long the request must wait for its turn. Zero unless a leaky bucket took part. */
    public Duration delay() {
        return micros(delayMicros);
    }

    /**
     * Returns whether the request holds a permit: slots of a concurrency limit, or a reserved cost. They stay in use
     * until the permit is settled, released or expires, even if {@link Limiter#decide} decided the request.
     */
    public boolean holdsPermit() {
        return grant != null;
    }

    /** Returns the permit that the request holds, or null if it holds nothing. */
    public @Nullable PermitHandle permitHandle() {
        return grant;
    }

    @Override
    public Allowed on(Evidence other) {
        return new Allowed(other, delayMicros, grant);
    }

    @Override
    public @Nullable LimitStatus binding() {
        LimitStatus nearest = null;
        for (LimitStatus status : limits()) {
            if (status.isEnforced() && (nearest == null || status.isNearerToExhaustionThan(nearest))) {
                nearest = status;
            }
        }
        return nearest;
    }

    @Override
    public String toString() {
        LimitStatus binding = binding();
        String left = binding == null ? "" : ", remaining " + binding.remaining() + " of " + binding.limit();
        String delay = delayMicros == 0 ? "" : ", delay " + delay();
        String permit = grant == null ? "" : ", holds a permit until " + grant.expiresAt();
        return "Allowed(by " + decidedBy() + left + delay + permit + ")";
    }
}
