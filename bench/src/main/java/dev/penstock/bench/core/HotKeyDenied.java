package dev.penstock.bench.core;

import dev.penstock.Decision;
import dev.penstock.bench.harness.Outcomes;
import dev.penstock.bench.load.LoadRate;
import io.github.bucket4j.ConsumptionProbe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** One key under a scarce limit that is used up, so nearly everything is denied. */
public class HotKeyDenied {
    private static final LoadRate RATE = LoadRate.SCARCE;

    @State(Scope.Benchmark)
    public static class Penstock {
        final PenstockUsers users = new PenstockUsers(RATE);
    }

    @State(Scope.Benchmark)
    public static class Bucket4j {
        final Bucket4jMap users = new Bucket4jMap(RATE);
    }

    @State(Scope.Benchmark)
    public static class Bare {
        final BareMap users = new BareMap(RATE);
    }

    @State(Scope.Benchmark)
    public static class Resilience4j {
        final Resilience4jRegistry users = new Resilience4jRegistry(RATE);
    }

    @State(Scope.Benchmark)
    public static class Guava {
        final GuavaMap users = new GuavaMap(RATE);
    }

    @Benchmark
    public Decision penstock(Penstock penstock, HotKey key, Outcomes outcomes) {
        Decision decision = penstock.users.decide(key.next());
        outcomes.note(decision.isAllowed());
        return decision;
    }

    @Benchmark
    public Decision penstockRead(Penstock penstock, HotKey key, Outcomes outcomes, Blackhole blackhole) {
        Decision decision = penstock.users.decide(key.next());
        outcomes.note(decision.isAllowed());
        Reading.remainingAndRetry(decision, blackhole);
        return decision;
    }

    @Benchmark
    public ConsumptionProbe bucket4jMap(Bucket4j bucket4j, HotKey key, Outcomes outcomes) {
        ConsumptionProbe probe = bucket4j.users.decide(key.next(), 1);
        outcomes.note(probe.isConsumed());
        return probe;
    }

    @Benchmark
    public boolean bareMap(Bare bare, HotKey key, Outcomes outcomes) {
        boolean isAllowed = bare.users.decide(key.next());
        outcomes.note(isAllowed);
        return isAllowed;
    }

    @Benchmark
    public boolean resilience4j(Resilience4j resilience4j, HotKey key, Outcomes outcomes) {
        boolean isAllowed = resilience4j.users.decide(key.next(), 1);
        outcomes.note(isAllowed);
        return isAllowed;
    }

    @Benchmark
    public boolean guava(Guava guava, HotKey key, Outcomes outcomes) {
        boolean isAllowed = guava.users.decide(key.next());
        outcomes.note(isAllowed);
        return isAllowed;
    }
}
