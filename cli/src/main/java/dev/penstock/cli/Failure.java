package dev.penstock.cli;

/** Thrown when a command fails for a reason outside of its command line. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message, null, false, false);
    }
}
