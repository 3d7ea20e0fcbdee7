package dev.penstock.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Uniform numbers, another sequence for each object and the same ones in every JVM. Not thread-safe. */
public final class Draw {
    private static final long SEED = 20_250_101;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final SplittableRandom random = new SplittableRandom(SEED + MADE.getAndIncrement());

    /** From 0 to below the bound, without a division. */
    public int below(int bound) {
        return (int) (((random.nextLong() >>> 32) * bound) >>> 32);
    }

    /** The same, but k drawn as often as 1 / (k + 1) says, near enough: by the integral instead of the sum. */
    public int zipfBelow(int bound) {
        return (int) Math.min(bound - 1.0, Math.pow(bound + 1.0, random.nextDouble()) - 1);
    }
}
