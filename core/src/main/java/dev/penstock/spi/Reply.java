package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is either ready or arrives later.
 *
 * <p>A {@link dev.penstock.Decision} is its own reply, so an engine that answers at once creates no future.
 */
public interface Reply<T> {
    /** Returns the answer if it is ready, otherwise null. Never blocks. */
    @Nullable
    T ifReady();

    /** Returns the answer as a stage, which is already complete if the answer is ready. */
    CompletionStage<T> whenReady();

    /** Returns a reply that is ready now. */
    static <T> Reply<T> now(T answer) {
        Expect.present(answer, "answer");
        return new Reply<>() {
            @Override
            public T ifReady() {
                return answer;
            }

            @Override
            public CompletionStage<T> whenReady() {
                return CompletableFuture.completedStage(answer);
            }
        };
    }

    /** Returns a reply that arrives when the stage completes. */
    static <T> Reply<T> later(CompletionStage<T> stage) {
        Expect.present(stage, "stage");
        return new Reply<>() {
            @Override
            public @Nullable T ifReady() {
                return null;
            }

            @Override
            public CompletionStage<T> whenReady() {
                return stage;
            }
        };
    }
}
