package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.internal.Expect;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine that forwards every call to another one. Extend it to wrap an engine, and override only what changes, so
 * that no call is forgotten when the interface grows. Closing it closes the other engine.
 *
 * <p>As thread-safe as the other engine.
 */
public abstract class ForwardingEngine implements Engine {
    /** The engine that receives the calls. */
    protected final Engine inner;

    /** Creates an engine that forwards every call to {@code inner}. */
    protected ForwardingEngine(Engine inner) {
        this.inner = Expect.present(inner, "inner");
    }

    /** Returns the engine that receives the calls. */
    public final Engine inner() {
        return inner;
    }

    /** Returns the name of the other engine, because that engine issues the permits. */
    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return inner.decide(ask);
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return inner.mayRemember(ask);
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return inner.settle(permitId, actual);
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return inner.renew(permitId);
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return inner.mayHaveIssued(permitId);
    }

    @Override
    public @Nullable Duration answersWithin() {
        return inner.answersWithin();
    }

    @Override
    public boolean observeTrips(Duration lateAfter, TripObserver observer) {
        return inner.observeTrips(lateAfter, observer);
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return inner.reset(ask);
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return inner.resetCounters(counters);
    }

    @Override
    public @Nullable Sharding sharding() {
        return inner.sharding();
    }

    @Override
    public @Nullable Fleet fleet() {
        return inner.fleet();
    }

    @Override
    public void close() {
        inner.close();
    }
}
