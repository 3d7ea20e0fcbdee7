package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.TraceRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares a deny cache with the bare engine and the reference, on random traces whose clocks are never set back. All
 * numbers of all answers are equal. {@code -Dpenstock.seed=N} repeats the traces of an earlier run.
 */
class DenyCacheDifferentialTest {
    private static final int TRACES = 300;
    private static final int STEPS = 400;

    private long denied;

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "STACKED", "HELD", "CHANGING"})
    void randomTraces_everyAnswerEqualsTheBareEngines(TraceFlavor flavor) {
        long seed = TestSeed.printed("deny cache " + flavor);
        for (int i = 0; i < TRACES; i++) {
            new TraceRunner(this::twin).run(new RandomTrace(seed + i, flavor), STEPS);
        }
        assertThat(denied).isGreaterThan(TRACES);
    }

    private Engine twin(ManualClock clock) {
        TwinEngine.Store store = new TwinEngine.Store(memory(clock));
        DenyCache cache = DenyCache.builder(store).clock(clock).maxKeys(7).build();
        return new TwinEngine(cache, store, memory(clock)) {
            @Override
            public void close() {
                denied += cache.stats().denied();
                super.close();
            }
        };
    }

    private static Engine memory(ManualClock clock) {
        return MemoryEngine.builder()
                .clock(clock)
                .maxKeys(1_000)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }
}
