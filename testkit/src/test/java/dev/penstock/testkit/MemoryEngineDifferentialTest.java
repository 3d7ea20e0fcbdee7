package dev.penstock.testkit;

import dev.penstock.Algorithm;
import dev.penstock.MemoryEngine;
import dev.penstock.spi.Engine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The memory engine against the reference, on random traces: {@value #TRACES} of {@value #STEPS} steps in every flavour.
 *
 * <p>Every run has new seeds; {@code -Dpenstock.seed=N} repeats those of an earlier one. A failure names the seed of its
 * trace, which as N is the first trace of its flavour.
 */
class MemoryEngineDifferentialTest {
    private static final int TRACES = 400;
    private static final int STEPS = 500;

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerIsTheReferences(TraceFlavour flavour) {
        long seed = TestSeed.printed("random traces " + flavour);
        TraceRunner runner = new TraceRunner(MemoryEngineDifferentialTest::engine);
        for (int i = 0; i < TRACES; i++) {
            runner.run(new RandomTrace(seed + i, flavour), STEPS);
        }
    }

    private static Engine engine(ManualClock clock) {
        return MemoryEngine.builder()
                .clock(clock)
                .maxKeys(1_000)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }
}
