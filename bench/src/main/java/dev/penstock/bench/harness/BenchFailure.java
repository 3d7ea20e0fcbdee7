package dev.penstock.bench.harness;

/** Thrown when a benchmark could not be completed. The message is one line and says where to find more. */
public final class BenchFailure extends Exception {
    public BenchFailure(String message) {
        super(message);
    }

    public BenchFailure(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
