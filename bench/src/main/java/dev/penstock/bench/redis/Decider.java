package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A contender that is asked without blocking. Thread-safe. */
interface Decider extends AutoCloseable {
    /** Decides a request with these values, one per account. Fails if the store did not decide. */
    CompletionStage<Boolean> decide(List<String> values);

    /** Decides the first request of a user, if that needs additional work. */
    default CompletionStage<Boolean> decideFirst(List<String> values) {
        return decide(values);
    }

    /** Sends commands that are held back to be sent together. */
    default void flush() {}

    @Override
    void close();
}
