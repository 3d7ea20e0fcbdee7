package dev.penstock;

/**
 * The clock of an engine, in microseconds since 1970.
 *
 * <p>An engine reads it once per decision. The clock may be set back or jump ahead; {@code docs/architecture.md} says
 * how far limits can then be exceeded. Implementations must be thread-safe and return at once. An engine may hold locks
 * while it reads the clock, so an implementation must not block or call a limiter.
 *
 * <p>Tests use {@code ManualClock} from the testkit.
 */
@FunctionalInterface
public interface Clock {
    /** Returns the time in microseconds since 1970. */
    long micros();

    /**
     * Returns the machine's clock. It ignores small corrections of the machine's time, and follows a jump within a
     * second.
     */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
