package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is either here already or comes later.
 *
 * <p>A {@link dev.penstock.Decision} is its own reply, so an engine that can answer at once makes no future.
 */
public interface Reply<T> {
    /** The answer if it is here; null if it comes later. Never blocks. */
    @Nullable
    T ifReady();

    /** The answer as a stage; done already where it is here. */
    CompletionStage<T> whenReady();

    /** A reply that is here already. */
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

    /** A reply that comes when the stage completes. */
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
