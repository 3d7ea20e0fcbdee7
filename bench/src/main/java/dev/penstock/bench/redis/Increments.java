package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** The ceiling of what a client can get from Redis, without any limit: INCR, many in one write. Thread-safe. */
final class Increments extends OverLettuce {
    Increments(Lettuce lettuce) {
        super(lettuce);
        lettuce.startHoldingBack();
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        CompletionStage<Long> count = lettuce.commands().incr(Keys.of(values.get(0)));
        lettuce.sent();
        return count.thenApply(number -> number > 0);
    }
}
