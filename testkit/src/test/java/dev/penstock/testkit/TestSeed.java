package dev.penstock.testkit;

import java.util.concurrent.ThreadLocalRandom;

/** The seed of a run: new each time and printed, or the one that {@code -Dpenstock.seed} names. */
final class TestSeed {
    static final long VALUE =
            Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));

    private TestSeed() {}

    /** Tells the seed beside what it is used for. */
    static long printed(String what) {
        System.out.println(what + " from -Dpenstock.seed=" + VALUE);
        return VALUE;
    }
}
