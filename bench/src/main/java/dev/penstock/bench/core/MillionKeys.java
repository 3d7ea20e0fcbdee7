package dev.penstock.bench.core;

import dev.penstock.Decision;
import dev.penstock.bench.harness.Outcomes;
import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.Draw;
import dev.penstock.bench.load.LoadRate;
import io.github.bucket4j.ConsumptionProbe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A million keys, uniformly distributed and created in advance. Nearly everything is allowed. Measures the memory
 * accesses of a lookup.
 */
public class MillionKeys {
    private static final LoadRate RATE = LoadRate.MILLIONTH;

    /** One thread's requests. */
    @State(Scope.Thread)
    public static class Users {
        private final BenchKeyText text = UserKeys.text();
        private final Draw draw = new Draw();

        final String next() {
            return text.of(draw.below(UserKeys.COUNT));
        }
    }

    @State(Scope.Benchmark)
    public static class Penstock {
        final PenstockUsers users = new PenstockUsers(RATE);

        @Setup
        public void fill() {
            UserKeys.forEach(users::decide);
            Filled.check(users.keys(), UserKeys.COUNT);
        }
    }

    @State(Scope.Benchmark)
    public static class InCaffeine {
        final Bucket4jCaffeine users = new Bucket4jCaffeine(Bucket4jBuckets.of(RATE));

        @Setup
        public void fill() {
            UserKeys.forEach(users::decide);
            Filled.check(users.keys(), UserKeys.COUNT);
        }
    }

    @State(Scope.Benchmark)
    public static class InMap {
        final Bucket4jMap users = new Bucket4jMap(RATE);

        @Setup
        public void fill() {
            UserKeys.forEach(user -> users.decide(user, 1));
            Filled.check(users.keys(), UserKeys.COUNT);
        }
    }

    @Benchmark
    public Decision penstock(Penstock penstock, Users users, Outcomes outcomes) {
        Decision decision = penstock.users.decide(users.next());
        outcomes.note(decision.isAllowed());
        return decision;
    }

    @Benchmark
    public ConsumptionProbe bucket4jCaffeine(InCaffeine bucket4j, Users users, Outcomes outcomes) {
        ConsumptionProbe probe = bucket4j.users.decide(users.next());
        outcomes.note(probe.isConsumed());
        return probe;
    }

    @Benchmark
    public ConsumptionProbe bucket4jMap(InMap bucket4j, Users users, Outcomes outcomes) {
        ConsumptionProbe probe = bucket4j.users.decide(users.next(), 1);
        outcomes.note(probe.isConsumed());
        return probe;
    }
}
