package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A contender that sends its own commands through one Lettuce connection, which it closes. */
abstract class OverLettuce implements Decider {
    protected final Lettuce lettuce;

    OverLettuce(Lettuce lettuce) {
        this.lettuce = lettuce;
    }

    /** Sends at once: the first users ask one by one and must not wait for others. */
    @Override
    public final CompletionStage<Boolean> decideFirst(List<String> values) {
        CompletionStage<Boolean> answer = decide(values);
        flush();
        return answer;
    }

    @Override
    public final void flush() {
        lettuce.flush();
    }

    @Override
    public final void close() {
        lettuce.close();
    }
}
