package dev.penstock.bench.harness;

/** A ratio of two contenders' scores in one case, ours to theirs, and what it has to be. */
public record Expectation(String ratio, String ours, String peer, Figure figure, Wanted wanted) {
    /** What of a turn is compared. */
    public enum Figure {
        OPS_PER_SECOND,
        NANOS_PER_OP,
        P50_MICROS;

        double of(Turn turn) {
            return switch (this) {
                case OPS_PER_SECOND -> turn.meanOpsPerSecond();
                case NANOS_PER_OP -> 1e9 / turn.meanOpsPerSecond();
                case P50_MICROS -> turn.overAStore().latency().p50Micros();
            };
        }
    }

    /** So many times the peer's operations per second. */
    public static Expectation throughput(String ratio, String ours, String peer, double atLeast) {
        return new Expectation(ratio, ours, peer, Figure.OPS_PER_SECOND, Wanted.atLeast(atLeast));
    }

    /** The same, of which nothing is expected. */
    public static Expectation toldThroughput(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.OPS_PER_SECOND, Wanted.nothing());
    }

    /** At most so many times the peer's time for an operation. */
    public static Expectation cost(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.NANOS_PER_OP, Wanted.atMost(atMost));
    }

    /** The same, of which nothing is expected. */
    public static Expectation toldCost(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.NANOS_PER_OP, Wanted.nothing());
    }

    /** So small a part of the peer's median latency. */
    public static Expectation medianLatency(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.P50_MICROS, Wanted.atMost(atMost));
    }

    /** The same, of which nothing is expected. */
    public static Expectation toldMedianLatency(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.P50_MICROS, Wanted.nothing());
    }
}
