package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Wraps an engine and measures the duration of its decisions, as {@code rate.limiter.decision}. */
public final class TimedEngine extends ForwardingEngine {
    private static final long[] UP_TO_MICROS = {
        10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000
    };

    private final Timer timer;
    private final Clock clock;

    private TimedEngine(Engine engine, Timer timer, Clock clock) {
        super(engine);
        this.timer = timer;
        this.clock = clock;
    }

    /** Wraps the engine, which is closed with the wrapper. */
    public static TimedEngine around(Engine engine, MeterRegistry registry) {
        Duration[] upTo = LongStream.of(UP_TO_MICROS)
                .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
                .toArray(Duration[]::new);
        Timer timer = Timer.builder("rate.limiter.decision")
                .description("Time to make a decision, including the round trip to the store.")
                .serviceLevelObjectives(upTo)
                .register(Expect.present(registry, "registry"));
        return new TimedEngine(Expect.present(engine, "engine"), timer, Clock.system());
    }

    private void took(long fromMicros) {
        timer.record(Math.max(0, clock.micros() - fromMicros), TimeUnit.MICROSECONDS); // the clock may be set back
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        long fromMicros = clock.micros();
        Reply<Decision> reply = inner.decide(ask);
        if (reply.ifReady() != null) {
            took(fromMicros);
            return reply;
        }
        return Reply.later(reply.whenReady().whenComplete((decision, failure) -> took(fromMicros)));
    }
}
