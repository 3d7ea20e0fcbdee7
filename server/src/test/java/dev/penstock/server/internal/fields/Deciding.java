package dev.penstock.server.internal.fields;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;

/** Limiters on a stopped clock, and their decisions. */
final class Deciding {
    static final Duration SECOND = Duration.ofSeconds(1);

    static final Duration MINUTE = Duration.ofMinutes(1);

    static final Request ANYBODY = Request.of("user", "a");

    /** 13:37:21.123457: 38.876543 s before the next minute. */
    final ManualClock clock = new ManualClock();

    Limiter limiter(Policy... policies) {
        return limiter(MemoryEngine.builder().clock(clock).build(), policies);
    }

    Limiter limiter(Engine engine, Policy... policies) {
        return Limiter.builder(Policy.setOf(policies))
                .engine(engine)
                .clock(clock)
                .scheduler(clock)
                .build();
    }

    static Policy api(Limit... limits) {
        Policy policy = Policy.named("api");
        for (Limit limit : limits) {
            policy = policy.limit(limit, "user");
        }
        return policy;
    }

    static Decision decide(Limiter limiter, int times) {
        Decision last = limiter.decide(ANYBODY);
        for (int i = 1; i < times; i++) {
            last = limiter.decide(ANYBODY);
        }
        return last;
    }
}
