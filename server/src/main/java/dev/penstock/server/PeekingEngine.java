package dev.penstock.server;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the node's engine for the warm-up and only peeks. Permits are the exception: they are really held, because no
 * other request runs that code. {@link WarmUpPolicies} puts them on keys of its own. Closing this engine does not close
 * the node's.
 */
final class PeekingEngine extends ForwardingEngine {
    /** A long deadline, because code is slow before it is compiled. That must not open the breaker. */
    private static final Duration LONG_DEADLINE = Duration.ofSeconds(1);

    PeekingEngine(Engine engine) {
        super(engine);
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return inner.decide((ask.hold() == null ? ask.peek() : ask).orTimeout(LONG_DEADLINE));
    }

    @Override
    public @Nullable Duration answersWithin() {
        return inner.answersWithin() == null ? null : LONG_DEADLINE;
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
