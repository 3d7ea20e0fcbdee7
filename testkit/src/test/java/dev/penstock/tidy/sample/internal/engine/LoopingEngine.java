package dev.penstock.tidy.sample.internal.engine;

import dev.penstock.tidy.sample.internal.algorithm.ImpureAlgorithm;
import java.util.List;

/** An engine that knows an algorithm which knows it. */
public final class LoopingEngine {
    public List<ImpureAlgorithm> algorithms() {
        return List.of();
    }
}
