package dev.penstock.internal.guard;

import dev.penstock.Ask;
import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.spi.Engine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a store some questions that charge nothing, before anybody else does: the first ones take much longer than a
 * deadline allows, since the code has not run yet and Redis does not know the scripts.
 */
public final class StoreWarmUp {
    /** Of a limit that is decided in short, and of one that never is. */
    private static final List<Ask> QUESTIONS = List.of(
            StoreProbe.question(Limit.tokenBucket(1, Duration.ofSeconds(1))),
            StoreProbe.question(Limit.slidingLog(1, Duration.ofSeconds(1))));

    private static final int ROUNDS = 50;
    private static final long AT_MOST_MICROS = 300_000;

    private StoreWarmUp() {}

    /** Ends early where the store is slow or fails: that is for others to tell. */
    public static void of(Engine store) {
        Clock clock = Clock.system();
        long end = clock.micros() + AT_MOST_MICROS;
        try {
            for (int i = 0; i < ROUNDS; i++) {
                for (Ask question : QUESTIONS) {
                    long left = Math.max(0, end - clock.micros());
                    var unused = store.decide(question)
                            .whenReady()
                            .toCompletableFuture()
                            .get(left, TimeUnit.MICROSECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | ExecutionException | TimeoutException e) {
            return;
        }
    }
}
