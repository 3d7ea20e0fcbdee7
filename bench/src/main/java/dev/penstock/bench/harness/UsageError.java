package dev.penstock.bench.harness;

/** Arguments that mean nothing; the message is one line for whoever typed them. */
public final class UsageError extends Exception {
    public UsageError(String message) {
        super(message);
    }
}
