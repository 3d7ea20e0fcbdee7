package dev.penstock.bench.steady;

import dev.penstock.bench.server.Wire;

/** Defines when requests are sent. */
sealed interface LoadPlan {
    /** The number of connections to one node over HTTP/2 and gRPC. */
    int MULTIPLEXED_CONNECTIONS = 8;

    /** The maximum number of requests in flight on one of those. The service accepts 1,000. */
    int STREAMS_PER_CONNECTION = 900;

    int connections(Wire wire);

    /** Sends on schedule, regardless of answers. Latency is measured from the time at which a request was due. */
    record Open(RateShape shape) implements LoadPlan {
        @Override
        public int connections(Wire wire) {
            return MULTIPLEXED_CONNECTIONS;
        }
    }

    /**
     * Callers that send the next request when they get an answer, until the time or the number of requests is reached.
     */
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
