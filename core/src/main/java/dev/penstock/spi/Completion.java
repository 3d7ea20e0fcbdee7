package dev.penstock.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The reply that only says that something was done. */
public enum Completion implements Reply<Completion> {
    DONE;

    @Override
    public Completion ifReady() {
        return this;
    }

    @Override
    public CompletionStage<Completion> whenReady() {
        return CompletableFuture.completedFuture(this);
    }
}
