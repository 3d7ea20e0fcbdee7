package dev.penstock.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The reply that only says that something was done. */
public enum Done implements Reply<Done> {
    DONE;

    @Override
    public Done ifReady() {
        return this;
    }

    @Override
    public CompletionStage<Done> whenReady() {
        return CompletableFuture.completedFuture(this);
    }
}
