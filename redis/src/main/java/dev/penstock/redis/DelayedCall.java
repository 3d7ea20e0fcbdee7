package dev.penstock.redis;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Makes a call after a pause, without blocking a thread meanwhile. Thread-safe. */
final class DelayedCall {
    private final Scheduler scheduler;
    private final Duration length;

    DelayedCall(Scheduler scheduler, Duration length) {
        this.scheduler = scheduler;
        this.length = length;
    }

    <T> CompletableFuture<T> then(Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        scheduler.after(length, () -> over.complete(null));
        return over.thenCompose(unused -> call.get());
    }
}
