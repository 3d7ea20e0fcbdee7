package dev.penstock;

/**
 * The time by which an engine counts, in microseconds since the epoch of 1970.
 *
 * <p>An engine reads it once per decision, where the state lives. It may step back or jump ahead: counts stay right
 * (see {@code docs/architecture.md}). Implementations are thread-safe and answer at once: an engine may hold the
 * locks of the accounts concerned while it asks, so an implementation must not block nor call a limiter.
 *
 * <p>The one used in tests is {@code ManualClock} in the testkit.
 */
@FunctionalInterface
public interface Clock {
    long micros();

    /** The machine's time: even under small corrections, and following real steps within a second. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
