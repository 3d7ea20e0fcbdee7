package dev.penstock.bench.harness;

/** The bound of a ratio: at least a value, at most a value, or none. */
public record Wanted(Bound bound, double value) {
    /** The side of the value that meets the bound. */
    public enum Bound {
        AT_LEAST(">="),
        AT_MOST("<="),
        /** Every value is good. The ratio is only reported. */
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

    /** Returns a bound that everything meets. */
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

    /** Returns the mark that is shown for a ratio outside of the bound. */
    public String complaint() {
        return bound == Bound.AT_LEAST ? "BELOW" : "ABOVE";
    }

    @Override
    public String toString() {
        return bound == Bound.NONE ? "-" : bound.sign + " " + value;
    }
}
