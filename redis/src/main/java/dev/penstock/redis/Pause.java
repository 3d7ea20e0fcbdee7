package dev.penstock.redis;

import dev.penstock.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Calls something after a pause, in which no thread waits. Thread-safe. */
final class Pause {
    private final Timer timer;
    private final Duration length;

    Pause(Timer timer, Duration length) {
        this.timer = timer;
        this.length = length;
    }

    <T> CompletableFuture<T> then(Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        timer.after(length, () -> over.complete(null));
        return over.thenCompose(unused -> call.get());
    }
}
