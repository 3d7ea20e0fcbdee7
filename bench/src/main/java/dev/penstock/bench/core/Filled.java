package dev.penstock.bench.core;

/** The state before a turn: every key is there, and lies where the collector leaves it in the long run. */
final class Filled {
    private Filled() {}

    static void check(int keys, int expected) {
        if (keys != expected) {
            throw new IllegalStateException("keys: " + keys + " (expected: " + expected + ")");
        }
        System.gc();
    }
}
