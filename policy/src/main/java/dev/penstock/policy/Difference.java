package dev.penstock.policy;

import dev.penstock.Decision;

/**
 * A request on which a live policy and its candidate disagree.
 *
 * @param live the decision that was made
 * @param candidate the decision that the candidate would have made
 */
public record Difference(String candidateName, String liveName, Kind kind, Decision live, Decision candidate) {
    /** The direction of the difference. */
    public enum Kind {
        /** The candidate denies what the live policy allowed. */
        STRICTER,
        /** The candidate allows what the live policy denied. */
        LOOSER
    }
}
