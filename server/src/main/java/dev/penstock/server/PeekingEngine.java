package dev.penstock.server;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine around the node's own for the warm-up: what it decides is only looked at. Permits are really held, since nothing else
 * runs that code: {@link WarmUpPolicies} puts them on keys of its own. Closing it closes nothing.
 */
final class PeekingEngine implements Engine {
    /** Cold code may take long: that is no reason to give up the store. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Engine engine;

    PeekingEngine(Engine engine) {
        this.engine = engine;
    }

    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return engine.decide((ask.hold() == null ? ask.peek() : ask).orTimeout(PATIENCE));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return engine.mayRemember(ask);
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return engine.settle(permitId, actual);
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return engine.renew(permitId);
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return engine.mayHaveIssued(permitId);
    }

    @Override
    public Duration answersWithin() {
        return PATIENCE;
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return Completion.DONE;
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return Completion.DONE;
    }

    @Override
    public @Nullable Fleet fleet() {
        return null;
    }

    @Override
    public void close() {}
}
