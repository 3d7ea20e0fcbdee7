package dev.penstock.policy.internal.text;

/** A text that is not what it should be; the message says what was expected. */
public final class Unexpected extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean secret;

    public Unexpected(String expected) {
        this(expected, false);
    }

    private Unexpected(String expected, boolean secret) {
        super(expected, null, false, false);
        this.secret = secret;
    }

    /** The same where the text may be a secret, and is not to be repeated. */
    public static Unexpected unseen(String expected) {
        return new Unexpected(expected, true);
    }

    public boolean isSecret() {
        return secret;
    }

    public String expected() {
        return String.valueOf(getMessage());
    }
}
