package dev.penstock.policy.text;

/** Thrown for a text that is not valid. The message says what was expected. */
public final class Unexpected extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean secret;

    /** Creates the exception with what was expected. Messages may repeat the text itself. */
    public Unexpected(String expected) {
        this(expected, false);
    }

    private Unexpected(String expected, boolean secret) {
        super(expected, null, false, false);
        this.secret = secret;
    }

    /** Creates the exception for a text that may be a secret, which messages must not repeat. */
    public static Unexpected unseen(String expected) {
        return new Unexpected(expected, true);
    }

    /** Returns true if messages must not repeat the text. */
    public boolean isSecret() {
        return secret;
    }

    /** Returns what was expected, worded for a message. */
    public String expected() {
        return String.valueOf(getMessage());
    }
}
