package dev.penstock.policy.internal.text;

/** A text that is not what it should be; the message says what was expected. */
public final class Unexpected extends Exception {
    private static final long serialVersionUID = 1;

    public Unexpected(String expected) {
        super(expected, null, false, false);
    }

    public String expected() {
        return String.valueOf(getMessage());
    }
}
