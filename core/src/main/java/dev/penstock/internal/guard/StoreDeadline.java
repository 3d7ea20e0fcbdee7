package dev.penstock.internal.guard;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long a call waits for the store: until the deadline if the store is at fault for the delay, and longer if
 * this process is. So a node that is cold, overloaded or was suspended does not blame a healthy store for its own
 * delay. Waits are measured by the scheduler, so setting the clock does not make a call wait longer. Thread-safe.
 */
public final class StoreDeadline {
    /** A timer that is late by at least this much shows that the process was stalled. */
    private static final long STALL_MICROS = 20_000;

    private static final long SHORTEST_RECHECK_MICROS = 1_000;

    private final Duration deadline;
    private final Duration maxWait;
    private final ShardTable shards;
    private final StoreFailures failures;
    private final Scheduler scheduler;
    private final Duration recheck;

    /**
     * Creates the deadline of a guard.
     *
     * @param deadline how long the store may take
     * @param maxWait how long a call may wait in this process in total
     */
    public StoreDeadline(
            Duration deadline, Duration maxWait, ShardTable shards, StoreFailures failures, Scheduler scheduler) {
        this.deadline = deadline;
        this.maxWait = maxWait.compareTo(deadline) < 0 ? deadline : maxWait;
        this.shards = shards;
        this.failures = failures;
        this.scheduler = scheduler;
        this.recheck = Duration.of(Math.max(SHORTEST_RECHECK_MICROS, micros(deadline) / 4), ChronoUnit.MICROS);
    }

    /** Returns how long the store may take. */
    public Duration deadline() {
        return deadline;
    }

    /** Returns how long a call may wait in total. */
    public Duration maxWait() {
        return maxWait;
    }

    /**
     * Returns whether round trips to the shards of the ask failed or were late so recently that other calls are still
     * waiting for them.
     */
    public boolean wasStoreToBlame(Ask ask) {
        return shards.hasFailedSince(ask, scheduler.elapsedMicros() - 2 * micros(deadline));
    }

    /** Starts the wait of a decision. */
    public Wait begin(Ask ask) {
        return new Wait(scheduler.elapsedMicros(), ask, "");
    }

    /** Starts the wait of a call about a permit. */
    Wait begin(String permitId) {
        return new Wait(scheduler.elapsedMicros(), null, permitId);
    }

    /** The wait of one call. Not thread-safe. */
    public final class Wait {
        private final long startMicros;
        private final @Nullable Ask ask;
        private final String permitId;
        private boolean isExtended;

        /** @param ask null if the call is about a permit */
        private Wait(long startMicros, @Nullable Ask ask, String permitId) {
            this.startMicros = startMicros;
            this.ask = ask;
            this.permitId = permitId;
        }

        /**
         * Returns whether the store is at fault: round trips to its shards failed or were late since the wait began.
         * Also true if the store does not report round trips.
         */
        public boolean isStoreToBlame() {
            return !failures.areTripsReported() || haveShardsFailed();
        }

        private boolean haveShardsFailed() {
            return ask == null
                    ? shards.hasFailedSince(shards.namesOfPermit(permitId), startMicros)
                    : shards.hasFailedSince(ask, startMicros);
        }

        /** Returns how much longer to wait when the time is up, or null to give up. */
        public @Nullable Duration more() {
            long waited = scheduler.elapsedMicros() - startMicros;
            boolean isEnough = failures.areTripsReported()
                    ? isStoreToBlame() || waited >= micros(maxWait)
                    // otherwise the timer was late, which shows a stall
                    : isExtended || waited < micros(deadline) + STALL_MICROS;
            isExtended = true;
            return isEnough ? null : recheck;
        }
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
