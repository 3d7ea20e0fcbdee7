package dev.penstock.bench.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.bench.harness.Outcomes;
import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.Draw;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.DecisionMeters;
import dev.penstock.observe.TimedEngine;
import dev.penstock.observe.TopKeys;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Decisions in one process for 100,000 uniformly distributed users, so that hardly any of them is among the top keys.
 */
public class Watching {
    private static final int USERS = 100_000;
    private static final int DIGITS = 6;
    private static final int HOT_PER_SECOND = 1_000;
    private static final LoadRate RATE = LoadRate.ABUNDANT;

    private static Limiter.Builder limiter() {
        Policy policy = Policy.named("api").limit(Limit.tokenBucket(RATE.permits(), RATE.period()), "user");
        return Limiter.builder(Policy.setOf(policy));
    }

    @State(Scope.Benchmark)
    public static class Bare {
        final Limiter limiter = limiter().engine(MemoryEngine.create()).build();
    }

    /** As the service is configured by default. */
    @State(Scope.Benchmark)
    public static class Observed {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        private final TopKeys topKeys = new TopKeys(Clock.system(), HOT_PER_SECOND);
        final Limiter limiter = limiter()
                .engine(TimedEngine.around(MemoryEngine.create(), registry))
                .listener(DecisionMeters.builder().liveKeys(topKeys).to(registry))
                .listener(topKeys)
                .build();
    }

    /** One thread's requests. */
    @State(Scope.Thread)
    public static class Users {
        private final BenchKeyText text = new BenchKeyText("user-", DIGITS);
        private final Draw draw = new Draw();

        final Request next() {
            return Request.of("user", text.of(draw.below(USERS)));
        }
    }

    @Benchmark
    public Decision bare(Bare bare, Users users, Outcomes outcomes) {
        return noted(bare.limiter.decide(users.next()), outcomes);
    }

    @Benchmark
    public Decision observed(Observed observed, Users users, Outcomes outcomes) {
        return noted(observed.limiter.decide(users.next()), outcomes);
    }

    private static Decision noted(Decision decision, Outcomes outcomes) {
        outcomes.note(decision.isAllowed());
        return decision;
    }
}
