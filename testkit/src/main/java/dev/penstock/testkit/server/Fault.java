package dev.penstock.testkit.server;

/** The faults of a {@link FaultProxy}, and which bytes still get through. */
enum Fault {
    NONE,
    CUT,
    HALF_OPEN,
    DROP_REPLIES;

    /** The direction of bytes through a proxy. */
    enum Direction {
        REQUESTS,
        REPLIES;

        Direction reverse() {
            return this == REQUESTS ? REPLIES : REQUESTS;
        }
    }

    boolean lets(Direction direction) {
        return this == NONE || (this == DROP_REPLIES && direction == Direction.REQUESTS);
    }
}
