package dev.penstock.tidy.sample.internal.store;

import dev.penstock.tidy.sample.internal.engine.LoopingEngine;

/** A store that knows an engine which knows it. */
public final class LoopingStore {
    private final LoopingEngine engine = new LoopingEngine();

    public LoopingEngine engine() {
        return engine;
    }
}
