package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a store questions that charge nothing, one for each kind of limit, until it answers quickly or the time is up.
 * The first answers take long, because the code has not run yet and Redis does not know the scripts.
 */
public final class StoreWarmUp {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final List<Ask> QUESTIONS = List.of(
            StoreProbe.question(Limit.tokenBucket(1, SECOND)),
            StoreProbe.question(Limit.fixedWindow(1, SECOND)),
            StoreProbe.question(Limit.slidingWindow(1, SECOND)),
            StoreProbe.question(Limit.slidingLog(1, SECOND)),
            StoreProbe.question(Limit.leakyBucket(1, SECOND, 1)),
            StoreProbe.question(Limit.concurrency(1, SECOND)));

    /** The number of consecutive answers that are evaluated together. */
    private static final int KEPT = 100 * QUESTIONS.size() / 2;

    private StoreWarmUp() {}

    /**
     * Ends when 99 of 100 answers took no longer than the target, or when the time is up. A failure of the store ends
     * it at once; other code reports the failure.
     */
    public static void of(Engine store, Duration target, Duration atMost) {
        Clock clock = Clock.system();
        long start = clock.micros();
        long[] lastMicros = new long[KEPT];
        try {
            for (int asked = 0; ; asked++) {
                long before = clock.micros();
                long left = micros(atMost) - (before - start);
                if (left <= 0) {
                    log("the time was up", asked, before - start, lastMicros);
                    return;
                }
                var unused = store.decide(QUESTIONS.get(asked % QUESTIONS.size()))
                        .whenReady()
                        .toCompletableFuture()
                        .get(left, TimeUnit.MICROSECONDS);
                lastMicros[asked % KEPT] = clock.micros() - before;
                if (asked % KEPT == KEPT - 1 && percentile99(lastMicros) <= micros(target)) {
                    log("the target was reached", asked + 1, clock.micros() - start, lastMicros);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "the store failed while it was warmed up", e);
        }
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static long percentile99(long[] micros) {
        long[] sorted = micros.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length * 99 / 100];
    }

    private static void log(String end, int questions, long micros, long[] lastMicros) {
        LOG.log(
                Level.INFO,
                "warmed up in {0} ms with {1} requests, until {2}; 99th percentile {3} µs",
                TimeUnit.MICROSECONDS.toMillis(micros),
                questions,
                end,
                percentile99(lastMicros));
    }
}
