package dev.penstock.bench.redis;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends {@value #PER_SECOND} decisions per second regardless of answers. Halfway between two of them, it sends a PING
 * on another connection, so that other activity on the machine affects both alike.
 *
 * <p>A missed time is skipped, because its latency would only measure this thread.
 */
final class Paced extends OneThread {
    static final int PER_SECOND = 1_000;
    private static final long STEP_NANOS = 1_000_000_000L / PER_SECOND / 2;

    private final Supplier<CompletionStage<Boolean>> decision;
    private final DecisionCounts decisions;
    private final Lettuce pinger;
    private final DecisionCounts pings;

    Paced(Supplier<CompletionStage<Boolean>> decision, DecisionCounts decisions, Lettuce pinger, DecisionCounts pings) {
        super("pace");
        this.decision = decision;
        this.decisions = decisions;
        this.pinger = pinger;
        this.pings = pings;
    }

    @Override
    protected void run() {
        long next = System.nanoTime();
        for (int i = 0; !isStopping(); i++) {
            next = Math.max(next + STEP_NANOS, System.nanoTime());
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            if (i % 2 == 0) {
                note(decision, decisions);
            } else {
                note(() -> pinger.commands().ping().thenApply("PONG"::equals), pings);
            }
        }
    }

    private static void note(Supplier<CompletionStage<Boolean>> question, DecisionCounts tally) {
        long startNanos = System.nanoTime();
        try {
            question.get()
                    .whenComplete((@Nullable Boolean answer, @Nullable Throwable failure) ->
                            tally.note(startNanos, answer, failure));
        } catch (RuntimeException e) {
            tally.note(startNanos, null, e);
        }
    }
}
