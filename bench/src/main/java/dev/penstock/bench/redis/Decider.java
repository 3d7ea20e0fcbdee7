package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A contender, asked without blocking. Thread-safe. */
interface Decider extends AutoCloseable {
    /** Whether a request with these values, one for each account, is allowed; fails where the store did not decide. */
    CompletionStage<Boolean> decide(List<String> values);

    /** The same for a user that was never seen, where that takes more. */
    default CompletionStage<Boolean> decideFirst(List<String> values) {
        return decide(values);
    }

    /** Sends what waits to be sent together with more. */
    default void flush() {}

    @Override
    void close();
}
