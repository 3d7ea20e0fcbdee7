package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One thread's requests for the same key, with a new string each time. */
@State(Scope.Thread)
public class HotKey {
    private static final byte[] TEXT = "user-0000042".getBytes(StandardCharsets.US_ASCII);
    private static final int ONE_IN = 100;

    private int calls;

    final String next() {
        return new String(TEXT, StandardCharsets.ISO_8859_1);
    }

    /** Returns 1, but every hundredth time more than the capacity, which is denied. */
    final int costAboveCapacityAtTimes(LoadRate rate) {
        if (++calls < ONE_IN) {
            return 1;
        }
        calls = 0;
        return rate.permits() + 1;
    }
}
