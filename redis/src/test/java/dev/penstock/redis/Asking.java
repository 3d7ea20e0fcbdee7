package dev.penstock.redis;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;

/** Asks an engine that may fail. */
final class Asking {
    private Asking() {}

    /** Whether it answered, and allowed it. */
    static boolean isAllowed(Engine engine, Ask ask) {
        return engine.decide(ask)
                .whenReady()
                .toCompletableFuture()
                .handle((decision, failure) -> failure == null && decision.isAllowed())
                .join();
    }
}
