package dev.penstock.testkit.server;

/** What goes wrong between the two sides of a {@link FaultProxy}, and which bytes still get through. */
enum Fault {
    NONE,
    CUT,
    HALF_OPEN,
    DROP_REPLIES;

    /** The way that bytes go through a proxy. */
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
