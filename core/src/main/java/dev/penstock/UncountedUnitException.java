package dev.penstock;

import java.util.Collection;

/** Thrown when a caller states a cost in a unit that no limit counts, such as a misspelled one. Nothing was changed. */
public final class UncountedUnitException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String field;

    UncountedUnitException(String unit, Collection<String> counted) {
        super("costs." + unit + ": no limit counts it (expected: " + String.join(" or ", counted) + ")");
        this.field = "costs." + unit;
    }

    /** Returns the path of the wrong cost: {@code costs.tokenz}. */
    public String field() {
        return field;
    }

    /** Returns the problem without the path. */
    public String problem() {
        return String.valueOf(getMessage()).substring(field.length() + 2);
    }
}
