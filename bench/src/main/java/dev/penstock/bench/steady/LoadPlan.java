package dev.penstock.bench.steady;

import dev.penstock.bench.server.Wire;

/** How requests follow each other. */
sealed interface LoadPlan {
    /** Connections of one node over HTTP/2 and gRPC. */
    int MULTIPLEXED_CONNECTIONS = 8;

    /** The most requests under way on one of those; the service takes 1,000. */
    int STREAMS_PER_CONNECTION = 900;

    int connections(Wire wire);

    /** Sends on schedule, whatever is answered: latency counts from when a request was due. */
    record Open(RateShape shape) implements LoadPlan {
        @Override
        public int connections(Wire wire) {
            return MULTIPLEXED_CONNECTIONS;
        }
    }

    /** Callers that ask again as soon as they are answered, until the time is over or enough was asked. */
    record Closed(int callers, double seconds, int atMost) implements LoadPlan {
        Closed(int callers, double seconds) {
            this(callers, seconds, Integer.MAX_VALUE);
        }

        @Override
        public int connections(Wire wire) {
            return wire == Wire.HTTP1 ? callers : Math.min(callers, MULTIPLEXED_CONNECTIONS);
        }
    }
}
