package dev.penstock.observe;

import dev.penstock.spi.Key;

/**
 * A key that was asked for often: at most {@code count} times, and at least {@code count - over}.
 *
 * @param over by how much the count may be too high
 */
public record TopKey(Key key, long count, long over) {
    /** How often it was asked for at least. */
    public long atLeast() {
        return count - over;
    }
}
