package dev.penstock.testkit;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of what a test draws: new each time and printed, or the one that {@code -Dpenstock.seed} names. */
public final class TestSeed {
    private static final long BOUND = 1_000_000_000_000L;

    private TestSeed() {}

    /** Tells the seed beside what it is used for. */
    public static long printed(String what) {
        long seed = Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(BOUND));
        System.out.println(what + " from -Dpenstock.seed=" + seed);
        return seed;
    }
}
