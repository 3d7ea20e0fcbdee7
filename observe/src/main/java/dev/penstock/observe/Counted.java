package dev.penstock.observe;

/**
 * How many decisions there were of each kind.
 *
 * @param observed those that a policy would have denied that only watches; each of them is one of the others, too
 */
record Counted(long allowed, long denied, long observed) {
    static final Counted NOTHING = new Counted(0, 0, 0);

    Counted plus(Counted other) {
        return new Counted(allowed + other.allowed, denied + other.denied, observed + other.observed);
    }

    Counted minus(Counted other) {
        return new Counted(allowed - other.allowed, denied - other.denied, observed - other.observed);
    }

    long requests() {
        return allowed + denied;
    }

    boolean isNothing() {
        return equals(NOTHING);
    }
}
