package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.time.Duration;

/** Where windows begin and end, in microseconds. Thread-safe. */
interface WindowBoundaries {
    /** The start of the window that this moment lies in. */
    long start(long micros);

    /** The end of the window that begins at {@code start}, which is the start of the next. */
    long end(long start);

    /** This grid in words: what kind it is, and where windows begin in that time and a little around it. */
    String words(long fromMicros, long toMicros);

    /** Windows of one length, aligned on the epoch. */
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
