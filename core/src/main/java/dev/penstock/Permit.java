package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency slots or the reserved cost of an allowed request, held until they are settled, released or expire.
 *
 * <p>A denied request also has a permit. It is not {@linkplain #isGranted granted}, holds nothing, and ending it does
 * nothing.
 *
 * <p>Thread-safe. Closing a permit releases it unless it has been settled, so it fits try-with-resources:
 *
 * <pre>{@code
 * try (Permit permit = limiter.acquire(request)) {
 *     if (permit.isGranted()) { ... }
 * }
 * }</pre>
 */
public final class Permit implements AutoCloseable {
    private final Limiter limiter;
    private final Decision decision;
    private final @Nullable PermitHandle handle;

    Permit(Limiter limiter, Decision decision) {
        this.limiter = limiter;
        this.decision = decision;
        this.handle = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
    }

    /** Returns whether the request was allowed. */
    public boolean isGranted() {
        return decision.isAllowed();
    }

    /** Returns the decision on the request. */
    public Decision decision() {
        return decision;
    }

    /** Returns the handle by which the permit can be settled from elsewhere, or null if nothing is held. */
    public @Nullable PermitHandle permitHandle() {
        return handle;
    }

    /** Ends the permit at the actual cost in one unit. Other units are charged as reserved. */
    public Settlement settle(String unit, long actual) {
        return settle(Costs.of(unit, actual));
    }

    /**
     * Ends the permit at the actual costs. Unused cost is given back. Extra cost becomes debt, and requests are denied
     * until it is paid off. A unit that is left out is charged as reserved. Ending a permit again returns the first
     * answer.
     *
     * @throws UncountedUnitException if no limit counts one of the units, because a misspelled unit would stay charged
     *     as reserved
     */
    public Settlement settle(Costs actual) {
        return end(checked(actual));
    }

    /** Ends the permit like {@link #settle(Costs)}, but never blocks. Bad input fails the stage. */
    public CompletionStage<Settlement> settleAsync(Costs actual) {
        return Limiter.stageOf(() -> endLater(checked(actual)));
    }

    /** Ends the permit and gives its whole cost back, for example after a successful login. */
    public Settlement giveBack() {
        return end(decision.nothing());
    }

    /** Ends the permit as reserved: slots are freed, costs are charged. */
    public Settlement release() {
        return end(null);
    }

    /** Ends the permit like {@link #release}, but never blocks. */
    public CompletionStage<Settlement> releaseAsync() {
        return Limiter.stageOf(() -> endLater(null));
    }

    /** Extends the permit so that its full time starts again now. */
    public Settlement renew() {
        return handle == null ? Settlement.unknown() : limiter.renew(handle.id());
    }

    /** Renews the permit like {@link #renew}, but never blocks. */
    public CompletionStage<Settlement> renewAsync() {
        return handle == null ? Settlement.unknown().whenReady() : limiter.renewAsync(handle.id());
    }

    @Override
    public void close() {
        if (handle != null) {
            release();
        }
    }

    private Costs checked(Costs actual) {
        return limiter.units()
                .expect(Expect.present(actual, "actual"), decision.evidence().asked());
    }

    private Settlement end(@Nullable Costs actual) {
        return limiter.timeouts().settlement(() -> settled(actual));
    }

    private CompletionStage<Settlement> endLater(@Nullable Costs actual) {
        return limiter.timeouts().settlementLater(() -> settled(actual));
    }

    private Reply<Settlement> settled(@Nullable Costs actual) {
        return handle == null ? Settlement.unknown() : limiter.engine().settle(handle.id(), actual);
    }

    @Override
    public String toString() {
        return "Permit(" + decision + ", " + handle + ")";
    }
}
