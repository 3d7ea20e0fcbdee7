package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.time.Duration;

/** The boundaries of windows, in microseconds. Thread-safe. */
interface WindowBoundaries {
    /** Returns the start of the window that contains this moment. */
    long start(long micros);

    /** Returns the end of the window that starts at {@code start}, which is the start of the next one. */
    long end(long start);

    /** Returns the text form: the kind, and the starts of the windows between these times and a little around them. */
    String words(long fromMicros, long toMicros);

    /** Windows of one length, aligned to the epoch. */
    record Even(long lengthMicros) implements WindowBoundaries {
        Even(Duration length) {
            this(Expect.micros(length, Algorithm.LONGEST, "window"));
        }

        @Override
        public long start(long micros) {
            return micros - Math.floorMod(micros, lengthMicros);
        }

        @Override
        public long end(long start) {
            return start + lengthMicros;
        }

        @Override
        public String words(long fromMicros, long toMicros) {
            return "every " + lengthMicros;
        }
    }
}
