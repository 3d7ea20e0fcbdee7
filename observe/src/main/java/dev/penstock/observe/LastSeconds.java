package dev.penstock.observe;

import java.util.List;
import java.util.stream.LongStream;

/** One value for each of the last {@value History#SECONDS} seconds. Not thread-safe. */
final class LastSeconds {
    private final long[] figures = new long[History.SECONDS];

    void set(long second, long figure) {
        figures[(int) (second % History.SECONDS)] = figure;
    }

    /** Spreads a sum evenly over several seconds. */
    void spread(long from, int count, long sum) {
        for (int i = 0; i < count; i++) {
            set(from + i, sum * (i + 1) / count - sum * i / count);
        }
    }

    /** Sets the same value for several seconds. */
    void fill(long from, int count, long figure) {
        for (int i = 0; i < count; i++) {
            set(from + i, figure);
        }
    }

    List<Long> of(long from, int count) {
        return LongStream.range(from, from + count)
                .mapToObj(second -> figures[(int) (second % History.SECONDS)])
                .toList();
    }
}
