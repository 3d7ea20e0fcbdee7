package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;

/** Sends asks to an engine that may fail. */
final class Asking {
    private Asking() {}

    /** Returns whether the engine answered and allowed the ask. */
    static boolean isAllowed(Engine engine, Ask ask) {
        return engine.decide(ask)
                .whenReady()
                .toCompletableFuture()
                .handle((decision, failure) -> failure == null && decision.isAllowed())
                .join();
    }
}
