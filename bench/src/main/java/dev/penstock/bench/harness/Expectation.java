package dev.penstock.bench.harness;

/** A ratio of two contenders' scores in one case, ours to theirs, and its bound. */
public record Expectation(String ratio, String ours, String peer, Figure figure, Wanted wanted) {
    /** The quantity of a turn that is compared. */
    public enum Figure {
        OPS_PER_SECOND,
        NANOS_PER_OP,
        P50_MICROS,
        /** The time that Redis spent in scripts for one decision. */
        SCRIPT_MICROS_PER_OP,
        /** The processor time of Redis for one decision. */
        STORE_NANOS_PER_OP;

        double of(Turn turn) {
            return switch (this) {
                case OPS_PER_SECOND -> turn.meanOpsPerSecond();
                case NANOS_PER_OP -> 1e9 / turn.meanOpsPerSecond();
                case P50_MICROS -> turn.overAStore().latency().p50Micros();
                case SCRIPT_MICROS_PER_OP ->
                    turn.overAStore().microsPerScript() * turn.overAStore().scriptsPerOp();
                case STORE_NANOS_PER_OP -> turn.overAStore().storeNanosPerOp();
            };
        }
    }

    /** Expects at least this multiple of the competitor's operations per second. */
    public static Expectation throughput(String ratio, String ours, String peer, double atLeast) {
        return new Expectation(ratio, ours, peer, Figure.OPS_PER_SECOND, Wanted.atLeast(atLeast));
    }

    /** Reports the ratio of operations per second without a bound. */
    public static Expectation toldThroughput(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.OPS_PER_SECOND, Wanted.nothing());
    }

    /** Expects at most this multiple of the competitor's time per operation. */
    public static Expectation cost(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.NANOS_PER_OP, Wanted.atMost(atMost));
    }

    /** Reports the ratio of the time per operation without a bound. */
    public static Expectation toldCost(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.NANOS_PER_OP, Wanted.nothing());
    }

    /** Expects at most this multiple of the competitor's time in scripts of Redis. */
    public static Expectation scriptTime(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.SCRIPT_MICROS_PER_OP, Wanted.atMost(atMost));
    }

    /** Reports the ratio of the time in scripts of Redis without a bound. */
    public static Expectation toldScriptTime(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.SCRIPT_MICROS_PER_OP, Wanted.nothing());
    }

    /** Expects at most this multiple of the processor time that Redis needs for the competitor. */
    public static Expectation storeCpu(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.STORE_NANOS_PER_OP, Wanted.atMost(atMost));
    }

    /** Expects at most this multiple of the competitor's median latency. */
    public static Expectation medianLatency(String ratio, String ours, String peer, double atMost) {
        return new Expectation(ratio, ours, peer, Figure.P50_MICROS, Wanted.atMost(atMost));
    }

    /** Reports the ratio of median latencies without a bound. */
    public static Expectation toldMedianLatency(String ratio, String ours, String peer) {
        return new Expectation(ratio, ours, peer, Figure.P50_MICROS, Wanted.nothing());
    }
}
