package dev.penstock.testkit;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Forwards everything to another engine, and lets a test change asks and calls. As thread-safe as the other engine. */
public abstract class InterceptingEngine extends ForwardingEngine {
    /** Creates an engine around another one. */
    protected InterceptingEngine(Engine inner) {
        super(inner);
    }

    /** Returns the ask to forward. */
    protected Ask passedOn(Ask ask) {
        return ask;
    }

    /** Makes a call, or delays or replaces it. */
    protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
        return call.get();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return carryOut(() -> super.decide(passedOn(ask)));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return carryOut(() -> super.mayRemember(passedOn(ask)));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return carryOut(() -> super.settle(permitId, actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return carryOut(() -> super.renew(permitId));
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return carryOut(() -> super.reset(passedOn(ask)));
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return carryOut(() -> super.resetCounters(counters));
    }
}
