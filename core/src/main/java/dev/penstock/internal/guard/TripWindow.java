package dev.penstock.internal.guard;

import java.util.Arrays;

/**
 * Counts the trips to the store of the last 1.4 seconds, and how many of them failed. Not thread-safe.
 *
 * <p>Time is divided into cells of a tenth of a second; a cell is dropped as a whole. Each cell that has trips counts the same:
 * a store that falls silent gets few trips, which thousands of good ones just before must not outweigh. A clock that is set
 * back empties the window.
 */
final class TripWindow {
    private static final long CELL_MICROS = 100_000;
    private static final int CELLS = 14;

    /** How far back it looks. */
    static final long LENGTH_MICROS = CELLS * CELL_MICROS;

    private final int[] trips = new int[CELLS];
    private final int[] failures = new int[CELLS];

    /** The time of the first failure in each cell that has one. */
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

    /** The share of trips that failed, in the mean of the cells that have trips; 0 if there are none. */
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

    /** How long ago the earliest failure in the window was; 0 if there is none. */
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

    /** Drops the cells that are too old, and returns the index of the present one. */
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
