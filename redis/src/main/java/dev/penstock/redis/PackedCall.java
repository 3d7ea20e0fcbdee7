package dev.penstock.redis;

import dev.penstock.Decision;

/**
 * One call of a script that decides simple asks: what is sent, and how the reply is read. Its argument and its reply are
 * {@link PackedNumbers}; the header of each script describes them.
 */
interface PackedCall {
    /** The scripts. Each has a file of the same name. */
    enum Target {
        /** Decides many asks. */
        BATCH,
        /** Decides one ask. */
        REQUEST,
        /** Decides one ask with one charge on a token bucket. */
        BUCKET
    }

    /** The script's result for one ask. */
    enum Outcome {
        DENIED,
        ALLOWED,
        /** The ask needs {@code decide.lua}. Nothing was changed. */
        NEEDS_DECIDE,
        /** One of its keys has a value that Penstock did not write. Nothing was changed. */
        FOREIGN_VALUE;

        private static final Outcome[] ALL = values();

        /** Added to the outcome of the request for a charge that exceeded its limit. */
        private static final int EXCEEDED = 4;

        static Outcome of(int code) {
            return ALL[code % EXCEEDED];
        }

        static boolean isExceeded(int code) {
            return code >= EXCEEDED;
        }

        boolean isDecided() {
            return this == DENIED || this == ALLOWED;
        }
    }

    /** Receives the outcome of each ask, in the order in which they were decided. */
    interface Listener {
        void answered(BatchedAsk asked, Decision decision);

        void notAnswered(BatchedAsk asked, Outcome outcome);
    }

    Target target();

    /** Returns the number of asks. */
    int size();

    String[] keys();

    byte[] argument();

    /** Reads the reply, and passes the outcome of each ask to the listener. */
    void read(byte[] reply, Listener listener);
}
