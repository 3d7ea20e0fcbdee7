package dev.penstock.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The reply to a call that only reports that it is done. */
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
