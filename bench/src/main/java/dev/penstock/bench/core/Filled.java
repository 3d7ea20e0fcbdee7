package dev.penstock.bench.core;

/**
 * Prepares a turn: checks that every key exists, then runs the garbage collector, which moves them to their long-term
 * place.
 */
final class Filled {
    private Filled() {}

    static void check(int keys, int expected) {
        if (keys != expected) {
            throw new IllegalStateException("keys: " + keys + " (expected: " + expected + ")");
        }
        System.gc();
    }
}
