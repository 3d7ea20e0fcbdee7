package dev.penstock.cache;

import dev.penstock.Algorithm;
import dev.penstock.LocalFirst;
import dev.penstock.MemoryEngine;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TraceFlavour;
import dev.penstock.testkit.TraceRunner;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A first layer that has every charge, or none, against the reference, on random traces of every flavour. */
class LocalFirstDifferentialTest {
    private static final int TRACES = 30;
    private static final int STEPS = 400;

    @ParameterizedTest
    @EnumSource
    void randomTraces_allInOnePlace_everyAnswerIsTheReferences(TraceFlavour flavour) {
        long seed = Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
        System.out.println("first layer " + flavour + " from -Dpenstock.seed=" + seed);
        for (int i = 0; i < TRACES; i++) {
            boolean local = i % 3 != 0;
            new TraceRunner(clock -> new PlacedEngine(firstLayer(clock), limit -> local))
                    .run(new RandomTrace(seed + i, flavour), STEPS);
        }
    }

    private static Engine firstLayer(ManualClock clock) {
        Engine store = MemoryEngine.builder()
                .clock(clock)
                .rememberFor(Algorithm.LONGEST)
                .build();
        return LocalFirst.builder(store)
                .clock(clock)
                .maxKeys(1_000)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }
}
