package dev.penstock.observe;

/**
 * How many decisions there were of each kind.
 *
 * @param observed those that a policy would have denied that only watches; each of them is one of the others, too
 */
record DecisionTotals(long allowed, long denied, long observed) {
    static final DecisionTotals NOTHING = new DecisionTotals(0, 0, 0);

    DecisionTotals plus(DecisionTotals other) {
        return new DecisionTotals(allowed + other.allowed, denied + other.denied, observed + other.observed);
    }

    DecisionTotals minus(DecisionTotals other) {
        return new DecisionTotals(allowed - other.allowed, denied - other.denied, observed - other.observed);
    }

    long requests() {
        return allowed + denied;
    }

    boolean isNothing() {
        return equals(NOTHING);
    }
}
