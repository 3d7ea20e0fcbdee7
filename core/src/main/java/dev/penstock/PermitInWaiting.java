package dev.penstock;

import java.util.concurrent.CompletableFuture;

/** The permit that a decision in waiting will become. Cancelling it stops the waiting; a permit that comes all the same is given back. */
final class PermitInWaiting extends CompletableFuture<Permit> {
    private final CompletableFuture<Decision> waiting;

    PermitInWaiting(Limiter limiter, CompletableFuture<Decision> waiting) {
        this.waiting = waiting;
        CompletableFuture<Decision> unused = waiting.whenComplete((decision, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
                return;
            }
            Permit permit = new Permit(limiter, decision);
            if (!complete(permit)) {
                permit.giveBack();
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        waiting.cancel(mayInterruptIfRunning);
        return cancelled;
    }
}
