package dev.penstock.tidy.sample.algorithm;

import dev.penstock.tidy.sample.internal.engine.LoopingEngine;
import org.assertj.core.api.Assertions;

/** An algorithm that knows an engine, and a library that the core does not have. */
public final class ImpureAlgorithm {
    private final LoopingEngine engine = new LoopingEngine();

    public void run() {
        Assertions.assertThat(engine.stores()).isEmpty();
    }
}
