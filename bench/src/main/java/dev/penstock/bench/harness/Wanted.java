package dev.penstock.bench.harness;

/** What a ratio has to be: so much or more, or so much or less. */
public record Wanted(Bound bound, double value) {
    /** On which side of the value is good. */
    public enum Bound {
        AT_LEAST(">="),
        AT_MOST("<=");

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

    boolean isReachedBy(double measured) {
        return bound == Bound.AT_LEAST ? measured >= value : measured <= value;
    }

    /** What is shown where it is not reached. */
    String complaint() {
        return bound == Bound.AT_LEAST ? "BELOW" : "ABOVE";
    }

    @Override
    public String toString() {
        return bound.sign + " " + value;
    }
}
