package dev.penstock.bench.harness;

/** Arguments that mean nothing; the message is one line for whoever typed them. */
public final class BenchUsageError extends Exception {
    public BenchUsageError(String message) {
        super(message);
    }
}
