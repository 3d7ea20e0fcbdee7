package dev.penstock.tidy.sample.internal.engine;

import dev.penstock.tidy.sample.internal.store.LoopingStore;
import java.util.List;

/** An engine that knows a store which knows it. */
public final class LoopingEngine {
    public List<LoopingStore> stores() {
        return List.of();
    }
}
