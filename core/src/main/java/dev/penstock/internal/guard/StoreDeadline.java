package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.spi.Ask;
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
    private final ShardTable shards;
    private final StoreFailures failures;
    private final Clock clock;
    private final Duration recheck;

    /**
     * @param deadline how long the store may take
     * @param maxWait how long a call may wait in this process in all
     */
    public StoreDeadline(Duration deadline, Duration maxWait, ShardTable shards, StoreFailures failures, Clock clock) {
        this.deadline = deadline;
        this.maxWait = maxWait.compareTo(deadline) < 0 ? deadline : maxWait;
        this.shards = shards;
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

    /** Whether trips to the shards of the ask failed or were late so recently that calls still wait for them. */
    public boolean wasStoreToBlame(Ask ask) {
        return shards.hasFailedSince(ask, clock.micros() - 2 * micros(deadline));
    }

    /** A decision begins to wait. */
    public Wait begin(Ask ask) {
        return new Wait(clock.micros(), ask, "");
    }

    /** A call about a permit begins to wait. */
    Wait begin(String permitId) {
        return new Wait(clock.micros(), null, permitId);
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

        /** Whether the store is to blame for the wait: trips to its shards failed or were late since it began, as far as is known. */
        public boolean isStoreToBlame() {
            return !failures.areTripsReported() || haveShardsFailed();
        }

        private boolean haveShardsFailed() {
            return ask == null
                    ? shards.hasFailedSince(shards.namesOfPermit(permitId), startMicros)
                    : shards.hasFailedSince(ask, startMicros);
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
