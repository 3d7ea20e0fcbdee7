package dev.penstock.cli;

/** Thrown for an invalid command line. The message says what was found and what was expected. */
final class UsageError extends Exception {
    private static final long serialVersionUID = 1;

    UsageError(String name, String value, String expected) {
        this(name + ": " + value + " (expected: " + expected + ")");
    }

    UsageError(String message) {
        super(message, null, false, false);
    }
}
