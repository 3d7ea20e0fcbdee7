package dev.penstock.bench.harness;

/** Thrown for invalid arguments, with a message of one line for the user. */
public final class BenchUsageError extends Exception {
    public BenchUsageError(String message) {
        super(message);
    }
}
