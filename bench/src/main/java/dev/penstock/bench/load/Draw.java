package dev.penstock.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Uniform random numbers. Each object has a different sequence, which is the same in every JVM. Not thread-safe. */
public final class Draw {
    private static final long SEED = 20_250_101;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final SplittableRandom random = new SplittableRandom(SEED + MADE.getAndIncrement());

    /** Returns a number from 0 to below the bound, without a division. */
    public int below(int bound) {
        return (int) (((random.nextLong() >>> 32) * bound) >>> 32);
    }

    /**
     * Returns a number k from 0 to below the bound with a frequency of about 1 / (k + 1). Approximates the sum by the
     * integral.
     */
    public int zipfBelow(int bound) {
        return (int) Math.min(bound - 1.0, Math.pow(bound + 1.0, random.nextDouble()) - 1);
    }
}
