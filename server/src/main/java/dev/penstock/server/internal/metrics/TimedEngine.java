package dev.penstock.server.internal.metrics;

import dev.penstock.Ask;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An engine around another that takes the time of its decisions. */
final class TimedEngine implements Engine {
    private final Engine engine;
    private final Latency latency;
    private final Clock clock;

    TimedEngine(Engine engine, Latency latency, Clock clock) {
        this.engine = engine;
        this.latency = latency;
        this.clock = clock;
    }

    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        long fromMicros = clock.micros();
        Reply<Decision> reply = engine.decide(ask);
        if (reply.ifReady() != null) {
            latency.add(clock.micros() - fromMicros);
            return reply;
        }
        return Reply.later(
                reply.whenReady().whenComplete((decision, failure) -> latency.add(clock.micros() - fromMicros)));
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
    public @Nullable Duration answersWithin() {
        return engine.answersWithin();
    }

    @Override
    public Reply<Done> reset(Ask ask) {
        return engine.reset(ask);
    }

    @Override
    public Reply<Done> resetCounters(Set<String> counters) {
        return engine.resetCounters(counters);
    }

    @Override
    public @Nullable Fleet fleet() {
        return engine.fleet();
    }

    @Override
    public void close() {
        engine.close();
    }
}
