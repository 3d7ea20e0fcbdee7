package dev.penstock.engine;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.TraceRunner;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the memory engine with the reference on random traces: {@value #TRACES} of {@value #STEPS} steps in every
 * flavor, and {@value #CROWDED_TRACES} among many other keys.
 *
 * <p>Every run has new seeds. {@code -Dpenstock.seed=N} repeats those of an earlier run. A failure reports the seed of
 * its trace. With that seed as N, the trace is the first one of its flavor.
 */
class MemoryEngineDifferentialTest {
    private static final int TRACES = 400;
    private static final int CROWDED_TRACES = 30;
    private static final int STEPS = 500;

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        run("random traces " + flavor, flavor, TRACES, clock -> engine(clock, 1_000));
    }

    /** The engine's own checks for idle accounts never change an answer. */
    @ParameterizedTest
    @EnumSource
    void randomTracesInACrowd_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        run(
                "random traces in a crowd " + flavor,
                flavor,
                CROWDED_TRACES,
                clock -> new CrowdedEngine(engine(clock, 100_000)));
    }

    private static void run(String what, TraceFlavor flavor, int traces, Function<ManualClock, Engine> engines) {
        long seed = TestSeed.printed(what);
        TraceRunner runner = new TraceRunner(engines);
        for (int i = 0; i < traces; i++) {
            runner.run(new RandomTrace(seed + i, flavor), STEPS);
        }
    }

    private static Engine engine(ManualClock clock, int maxKeys) {
        return MemoryEngine.builder()
                .clock(clock)
                .maxKeys(maxKeys)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }
}
