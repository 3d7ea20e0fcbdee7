package dev.penstock.bench.harness;

/** A benchmark that could not be run to its end; the message is one line and says where more is. */
public final class BenchFailure extends Exception {
    public BenchFailure(String message) {
        super(message);
    }

    public BenchFailure(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
