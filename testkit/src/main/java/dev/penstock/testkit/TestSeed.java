package dev.penstock.testkit;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of a random test: a new one each time, which is printed, or the one in {@code -Dpenstock.seed}. */
public final class TestSeed {
    private static final long BOUND = 1_000_000_000_000L;

    private TestSeed() {}

    /** Prints the seed with its purpose, and returns it. */
    public static long printed(String what) {
        long seed = Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(BOUND));
        System.out.println(what + " from -Dpenstock.seed=" + seed);
        return seed;
    }
}
