package dev.penstock;

import dev.penstock.internal.Expect;

/**
 * What a caller is to do with a request that a limit refuses: deny it, or whatever its policy's word for it says.
 *
 * <p>The limiter does nothing but pass it on ({@link Denied#action}): such a request has charged nothing, and is denied.
 *
 * @param word letters, digits and {@code -_.}, so that it can be passed on in any header
 */
public record Action(String word) {
    /** Turn the request away. */
    public static final Action DENY = new Action("deny");

    /** Let the client prove first that it is one to be served. */
    public static final Action CHALLENGE = new Action("challenge");

    /** Let the client wait. */
    public static final Action DELAY = new Action("delay");

    private static final int LONGEST = 64;

    public Action {
        Expect.text(word, "action");
        boolean plain = word.length() <= LONGEST && word.chars().allMatch(Action::isPlain);
        Expect.that(plain, "action", word, "at most " + LONGEST + " letters, digits and -_.");
    }

    /** A word of the policy's own choice; one of the words above is that action. */
    public static Action tag(String word) {
        return new Action(word);
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-_.".indexOf(c) >= 0;
    }

    @Override
    public String toString() {
        return word;
    }
}
