package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What an allowed request holds: concurrency slots, or a reserved cost, until it is settled, released or expires.
 *
 * <p>A denial is a permit too, one that is not {@linkplain #isGranted granted}: it holds nothing, and ending it does
 * nothing. Thread-safe. Closing releases what was not settled before, so it fits try-with-resources:
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

    public boolean isGranted() {
        return decision.isAllowed();
    }

    public Decision decision() {
        return decision;
    }

    /** The permit's name, by which it can be settled from elsewhere; null where nothing is held. */
    public @Nullable PermitHandle permitHandle() {
        return handle;
    }

    /** Ends the permit at the actual cost in one unit; other units stay as reserved. */
    public Settlement settle(String unit, long actual) {
        return settle(Costs.of(unit, actual));
    }

    /**
     * Ends the permit at the actual costs: less than reserved gives back, more becomes debt that later requests wait for.
     * A unit left out is charged as reserved. Ending a permit again answers as the first time.
     */
    public Settlement settle(Costs actual) {
        return end(checked(actual));
    }

    /** Ends the permit like {@link #settle(Costs)}, without ever blocking. Bad input fails the stage. */
    public CompletionStage<Settlement> settleAsync(Costs actual) {
        return Limiter.stageOf(() -> endLater(checked(actual)));
    }

    /** Ends the permit and gives all of its cost back, as for a login that succeeded. */
    public Settlement giveBack() {
        return end(decision.nothing());
    }

    /** Ends the permit: slots are freed, costs stay as reserved. */
    public Settlement release() {
        return end(null);
    }

    /** Ends the permit like {@link #release}, without ever blocking. */
    public CompletionStage<Settlement> releaseAsync() {
        return Limiter.stageOf(() -> endLater(null));
    }

    /** Gives the permit its full term again, from now. */
    public Settlement renew() {
        return handle == null ? Settlement.unknown() : limiter.renew(handle.id());
    }

    /** Renews the permit like {@link #renew}, without ever blocking. */
    public CompletionStage<Settlement> renewAsync() {
        return handle == null ? Settlement.unknown().whenReady() : limiter.renewAsync(handle.id());
    }

    @Override
    public void close() {
        if (handle != null) {
            release();
        }
    }

    /**
     * A unit that no limit counts is a slip of the pen: what was meant would stay charged as reserved. Where policies come
     * from files it may be that a plan has no such limit.
     */
    private Costs checked(Costs actual) {
        if (decision.policyVersion() != null) {
            return Expect.present(actual, "actual"); // which units count is a matter of files that change
        }
        Costs known = decision.nothing();
        for (String unit : Expect.present(actual, "actual").asMap().keySet()) {
            Expect.that(
                    known.amount(unit, -1) == 0,
                    "unit",
                    unit,
                    "one of " + known.asMap().keySet());
        }
        return actual;
    }

    private Settlement end(@Nullable Costs actual) {
        return limiter.inTime().settlement(() -> settled(actual));
    }

    private CompletionStage<Settlement> endLater(@Nullable Costs actual) {
        return limiter.inTime().settlementLater(() -> settled(actual));
    }

    private Reply<Settlement> settled(@Nullable Costs actual) {
        return handle == null ? Settlement.unknown() : limiter.engine().settle(handle.id(), actual);
    }

    @Override
    public String toString() {
        return "Permit(" + decision + ", " + handle + ")";
    }
}
