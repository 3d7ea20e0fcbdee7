package dev.penstock.testkit;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.TripObserver;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another engine; what a test wants different it overrides. Thread-safe as far as the other is. */
public abstract class ForwardingEngine implements Engine {
    protected final Engine inner;

    protected ForwardingEngine(Engine inner) {
        this.inner = inner;
    }

    /** What becomes of an ask on its way. */
    protected Ask passedOn(Ask ask) {
        return ask;
    }

    /** When and how a call is made. */
    protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
        return call.get();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return carryOut(() -> inner.decide(passedOn(ask)));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return carryOut(() -> inner.mayRemember(passedOn(ask)));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return carryOut(() -> inner.settle(permitId, actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return carryOut(() -> inner.renew(permitId));
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
    public Reply<Done> reset(Ask ask) {
        return carryOut(() -> inner.reset(passedOn(ask)));
    }

    @Override
    public Reply<Done> resetCounters(Set<String> counters) {
        return carryOut(() -> inner.resetCounters(counters));
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
