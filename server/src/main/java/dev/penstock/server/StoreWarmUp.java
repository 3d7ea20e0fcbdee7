package dev.penstock.server;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Clock;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.spi.Engine;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a store some questions that charge nothing, before anybody else does: the first ones take much longer than a
 * deadline allows, since the code has not run yet and Redis does not know the scripts.
 */
final class StoreWarmUp {
    private static final int QUESTIONS = 100;
    private static final long AT_MOST_MICROS = 300_000;

    private StoreWarmUp() {}

    /** Ends early where the store is slow or fails: that is for others to tell. */
    static void of(Engine store) {
        Ask ask = Ask.of(Charge.of(
                        Terms.of("warm-up", Limit.tokenBucket(1, Duration.ofSeconds(1))),
                        Key.of("warm-up", "nobody"),
                        1))
                .peek();
        Clock clock = Clock.system();
        long end = clock.micros() + AT_MOST_MICROS;
        try {
            long left = AT_MOST_MICROS;
            for (int i = 0; i < QUESTIONS && left > 0; i++) {
                var unused = store.decide(ask).whenReady().toCompletableFuture().get(left, TimeUnit.MICROSECONDS);
                left = end - clock.micros();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | ExecutionException | TimeoutException e) {
            return;
        }
    }
}
