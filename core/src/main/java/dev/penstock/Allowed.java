package dev.penstock;

import dev.penstock.algorithm.State;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The request may go on: now, or after {@link #delay} where a leaky bucket shapes it. */
public final class Allowed extends Decision {
    private final long delayMicros;
    private final @Nullable PermitHandle grant;

    public Allowed(Evidence evidence, long delayMicros, @Nullable PermitHandle grant) {
        super(evidence);
        this.delayMicros = delayMicros;
        this.grant = grant;
    }

    /** Of one charge that the store made, decided on nothing but its rule's three numbers. */
    public Allowed(Charge only, State plain, long delayMicros, long madeAtMicros) {
        super(only, plain, madeAtMicros);
        this.delayMicros = delayMicros;
        this.grant = null;
    }

    /** The same for an ask that became another since, as policies changed: of its limits nothing is known. */
    public Allowed again(Ask ask) {
        Evidence unseen = Evidence.none(ask, evidence().madeAtMicros(), decidedBy());
        return new Allowed(unseen, delayMicros, grant);
    }

    /** How long the request must wait for its turn; zero unless a leaky bucket took part. */
    public Duration delay() {
        return micros(delayMicros);
    }

    /** The permit that the request holds; null where it holds nothing. */
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
        return "Allowed(by " + decidedBy() + left + (delayMicros == 0 ? "" : ", delay " + delay()) + ")";
    }
}
