package dev.penstock.observe;

import dev.penstock.spi.Key;

/**
 * A frequently requested key, which occurred at most {@code count} and at least {@code count - over} times.
 *
 * @param over by how much the count may be too high
 */
public record TopKey(Key key, long count, long over) {
    /** Returns the minimum number of requests for the key. */
    public long atLeast() {
        return count - over;
    }
}
