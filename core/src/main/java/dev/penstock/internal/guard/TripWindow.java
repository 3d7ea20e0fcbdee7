package dev.penstock.internal.guard;

import java.util.Arrays;

/**
 * Counts the round trips to the store in the last 1.4 seconds, and how many of them failed. Not thread-safe.
 *
 * <p>Time is divided into cells of a tenth of a second. A cell is dropped as a whole. All cells that have round trips
 * count the same: a store that stops answering gets few round trips, which must not be outweighed by thousands of good
 * ones just before. A clock that is set back empties the window.
 */
final class TripWindow {
    private static final long CELL_MICROS = BreakerThresholds.CELL_MICROS;
    private static final int CELLS = BreakerThresholds.CELLS;

    private final int[] trips = new int[CELLS];
    private final int[] failures = new int[CELLS];

    /** The time of the first failure in each cell with failures. */
    private final long[] firstFailure = new long[CELLS];

    private long newestCell = Long.MIN_VALUE;

    void addAnswered(long nowMicros) {
        trips[advance(nowMicros)]++;
    }

    void addFailed(long nowMicros) {
        int cell = advance(nowMicros);
        trips[cell]++;
        if (failures[cell]++ == 0) {
            firstFailure[cell] = nowMicros;
        }
    }

    int trips(long nowMicros) {
        advance(nowMicros);
        return Arrays.stream(trips).sum();
    }

    int failures(long nowMicros) {
        advance(nowMicros);
        return Arrays.stream(failures).sum();
    }

    /** Returns the share of round trips that failed, averaged over the cells that have any; 0 if there are none. */
    double failedShare(long nowMicros) {
        advance(nowMicros);
        double sum = 0;
        int cells = 0;
        for (int i = 0; i < CELLS; i++) {
            if (trips[i] > 0) {
                sum += (double) failures[i] / trips[i];
                cells++;
            }
        }
        return cells == 0 ? 0 : sum / cells;
    }

    /** Returns how long ago the earliest failure in the window was; 0 if there is none. */
    long sinceFirstFailureMicros(long nowMicros) {
        advance(nowMicros);
        long first = nowMicros;
        for (int i = 0; i < CELLS; i++) {
            if (failures[i] > 0) {
                first = Math.min(first, firstFailure[i]);
            }
        }
        return nowMicros - first;
    }

    void clear() {
        newestCell = Long.MIN_VALUE;
    }

    /** Drops the cells that are too old, and returns the index of the current one. */
    private int advance(long nowMicros) {
        long cell = Math.floorDiv(nowMicros, CELL_MICROS);
        boolean isFresh = newestCell == Long.MIN_VALUE || cell < newestCell || cell - newestCell >= CELLS;
        long from = isFresh ? cell - CELLS + 1 : newestCell + 1;
        for (long dropped = from; dropped <= cell; dropped++) {
            int i = Math.floorMod(dropped, CELLS);
            trips[i] = 0;
            failures[i] = 0;
        }
        newestCell = cell;
        return Math.floorMod(cell, CELLS);
    }
}
