package dev.penstock.bench.harness;

/** What a ratio has to be: so much or more, so much or less, or anything. */
public record Wanted(Bound bound, double value) {
    /** On which side of the value is good. */
    public enum Bound {
        AT_LEAST(">="),
        AT_MOST("<="),
        /** Any is good: it is only told. */
        NONE("");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    public static Wanted atLeast(double value) {
        return new Wanted(Bound.AT_LEAST, value);
    }

    public static Wanted atMost(double value) {
        return new Wanted(Bound.AT_MOST, value);
    }

    /** Nothing is expected of it. */
    public static Wanted nothing() {
        return new Wanted(Bound.NONE, Double.NaN);
    }

    public boolean isReachedBy(double measured) {
        return switch (bound) {
            case AT_LEAST -> measured >= value;
            case AT_MOST -> measured <= value;
            case NONE -> true;
        };
    }

    /** What is shown where it is not reached. */
    public String complaint() {
        return bound == Bound.AT_LEAST ? "BELOW" : "ABOVE";
    }

    @Override
    public String toString() {
        return bound == Bound.NONE ? "-" : bound.sign + " " + value;
    }
}
