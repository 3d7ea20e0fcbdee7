package dev.penstock.engine;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavour;
import dev.penstock.testkit.TraceRunner;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The memory engine against the reference, on random traces: {@value #TRACES} of {@value #STEPS} steps in every flavour, and
 * {@value #CROWDED_TRACES} among many other keys.
 *
 * <p>Every run has new seeds; {@code -Dpenstock.seed=N} repeats those of an earlier one. A failure names the seed of its
 * trace, which as N is the first trace of its flavour.
 */
class MemoryEngineDifferentialTest {
    private static final int TRACES = 400;
    private static final int CROWDED_TRACES = 30;
    private static final int STEPS = 500;

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerIsTheReferences(TraceFlavour flavour) {
        run("random traces " + flavour, flavour, TRACES, clock -> engine(clock, 1_000));
    }

    /** Whatever the engine does to accounts of its own accord, to find those that are idle, nobody can tell. */
    @ParameterizedTest
    @EnumSource
    void randomTracesInACrowd_everyAnswerIsTheReferences(TraceFlavour flavour) {
        run(
                "random traces in a crowd " + flavour,
                flavour,
                CROWDED_TRACES,
                clock -> new CrowdedEngine(engine(clock, 100_000)));
    }

    private static void run(String what, TraceFlavour flavour, int traces, Function<ManualClock, Engine> engines) {
        long seed = TestSeed.printed(what);
        TraceRunner runner = new TraceRunner(engines);
        for (int i = 0; i < traces; i++) {
            runner.run(new RandomTrace(seed + i, flavour), STEPS);
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
