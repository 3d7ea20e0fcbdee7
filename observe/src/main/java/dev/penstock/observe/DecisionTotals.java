package dev.penstock.observe;

/**
 * The number of decisions of each kind.
 *
 * @param shadowDenied decisions that a shadow policy would have denied; each is also counted as allowed or denied
 */
record DecisionTotals(long allowed, long denied, long shadowDenied) {
    static final DecisionTotals NOTHING = new DecisionTotals(0, 0, 0);

    DecisionTotals plus(DecisionTotals other) {
        return new DecisionTotals(allowed + other.allowed, denied + other.denied, shadowDenied + other.shadowDenied);
    }

    DecisionTotals minus(DecisionTotals other) {
        return new DecisionTotals(allowed - other.allowed, denied - other.denied, shadowDenied - other.shadowDenied);
    }

    long requests() {
        return allowed + denied;
    }

    boolean isNothing() {
        return equals(NOTHING);
    }
}
