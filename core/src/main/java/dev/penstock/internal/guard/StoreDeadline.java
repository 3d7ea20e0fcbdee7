package dev.penstock.internal.guard;

import dev.penstock.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Says how long a call waits for the store: until the deadline if the store is to blame for the wait, and longer if this
 * process is. A node that is cold, overloaded or was stopped does not blame a healthy store for its own delay. Thread-safe.
 */
public final class StoreDeadline {
    /** How late a timer has to be for the process to have been stalled. */
    private static final long STALL_MICROS = 20_000;

    private static final long SHORTEST_RECHECK_MICROS = 1_000;

    private final Duration deadline;
    private final Duration maxWait;
    private final CircuitBreaker breaker;
    private final StoreFailures failures;
    private final Clock clock;
    private final Duration recheck;

    /**
     * @param deadline how long the store may take
     * @param maxWait how long a call may wait in this process in all
     */
    public StoreDeadline(
            Duration deadline, Duration maxWait, CircuitBreaker breaker, StoreFailures failures, Clock clock) {
        this.deadline = deadline;
        this.maxWait = maxWait.compareTo(deadline) < 0 ? deadline : maxWait;
        this.breaker = breaker;
        this.failures = failures;
        this.clock = clock;
        this.recheck = Duration.of(Math.max(SHORTEST_RECHECK_MICROS, micros(deadline) / 4), ChronoUnit.MICROS);
    }

    /** How long the store may take. */
    public Duration deadline() {
        return deadline;
    }

    /** How long a call may wait in all. */
    public Duration maxWait() {
        return maxWait;
    }

    /** Whether trips failed or were late so recently that calls still wait for them. */
    public boolean wasStoreToBlame() {
        return breaker.hasFailedSince(clock.micros() - 2 * micros(deadline));
    }

    /** A call begins to wait. */
    public Wait begin() {
        return new Wait(clock.micros());
    }

    /** The wait of one call. Not thread-safe. */
    public final class Wait {
        private final long startMicros;
        private boolean isExtended;

        private Wait(long startMicros) {
            this.startMicros = startMicros;
        }

        /** Whether the store is to blame for the wait: trips failed or were late since it began, as far as is known. */
        public boolean isStoreToBlame() {
            return !failures.areTripsReported() || breaker.hasFailedSince(startMicros);
        }

        /** How much longer to wait, now that the time is up; null to give up. */
        public @Nullable Duration more() {
            long waited = clock.micros() - startMicros;
            boolean isEnough = failures.areTripsReported()
                    ? isStoreToBlame() || waited >= micros(maxWait)
                    : isExtended || waited < micros(deadline) + STALL_MICROS; // else the timer was late: a stall
            isExtended = true;
            return isEnough ? null : recheck;
        }
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
