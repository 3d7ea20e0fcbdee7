package dev.penstock.observe;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.TripObserver;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An engine around another that looks at its decisions, and passes all else on. */
abstract class EngineAround implements Engine {
    final Engine engine;

    EngineAround(Engine engine) {
        this.engine = engine;
    }

    @Override
    public final String name() {
        return engine.name();
    }

    @Override
    public final Reply<Boolean> mayRemember(Ask ask) {
        return engine.mayRemember(ask);
    }

    @Override
    public final Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return engine.settle(permitId, actual);
    }

    @Override
    public final Reply<Settlement> renew(String permitId) {
        return engine.renew(permitId);
    }

    @Override
    public final boolean mayHaveIssued(String permitId) {
        return engine.mayHaveIssued(permitId);
    }

    @Override
    public final @Nullable Duration answersWithin() {
        return engine.answersWithin();
    }

    @Override
    public final boolean observeTrips(Duration lateAfter, TripObserver observer) {
        return engine.observeTrips(lateAfter, observer);
    }

    @Override
    public final Reply<Done> reset(Ask ask) {
        return engine.reset(ask);
    }

    @Override
    public final Reply<Done> resetCounters(Set<String> counters) {
        return engine.resetCounters(counters);
    }

    @Override
    public final @Nullable Sharding sharding() {
        return engine.sharding();
    }

    @Override
    public final @Nullable Fleet fleet() {
        return engine.fleet();
    }

    @Override
    public final void close() {
        engine.close();
    }
}
