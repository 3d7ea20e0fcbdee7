package dev.penstock;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The permit of a decision that is still awaited. Canceling it stops the wait. A permit that arrives anyway is given
 * back, unless the request has an id: see {@link ReplyTimeouts#giveBack}.
 */
final class AwaitedPermit extends CompletableFuture<Permit> {
    private final CompletableFuture<Decision> waiting;

    AwaitedPermit(Limiter limiter, @Nullable String id, CompletableFuture<Decision> waiting) {
        this.waiting = waiting;
        CompletableFuture<Decision> unused = waiting.whenComplete((decision, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
                return;
            }
            Permit permit = new Permit(limiter, decision);
            if (!complete(permit) && id == null) {
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
