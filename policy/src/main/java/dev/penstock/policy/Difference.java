package dev.penstock.policy;

import dev.penstock.Decision;

/**
 * A request of which a live policy and its candidate think differently.
 *
 * @param live the decision that was made
 * @param candidate the decision that the candidate would have made
 */
public record Difference(String candidateName, String liveName, Kind kind, Decision live, Decision candidate) {
    /** In which direction. */
    public enum Kind {
        /** The candidate denies what the live policy let pass. */
        STRICTER,
        /** The candidate lets pass what the live policy denied. */
        LOOSER
    }
}
