package dev.penstock.internal.guard;

import dev.penstock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Runs work in rounds, with jittered pauses between them so that nodes do not work in lockstep. Thread-safe: no two
 * rounds of the same work overlap.
 */
final class JitteredRounds {
    /** The result of a round after which no work is left. */
    static final long DONE = 0;

    /** The usual pause before the first round. */
    static final long SOON_MICROS = 100_000;

    private enum State {
        RESTING,
        UNDER_WAY,
        /** {@link #begin} was called during a round, so there may be new work that the round has not seen. */
        BEGUN_AGAIN
    }

    private static final System.Logger LOG = System.getLogger(JitteredRounds.class.getName());

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final LongSupplier work;
    private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);
    private volatile boolean stopped;

    /**
     * @param work does one round of work, and returns the approximate pause in microseconds until the next round, or
     *     {@link #DONE}
     */
    JitteredRounds(Scheduler scheduler, RandomGenerator random, LongSupplier work) {
        this.scheduler = scheduler;
        this.random = random;
        this.work = work;
    }

    /** Starts the rounds after this time and a jittered pause. If they are already running, one more round follows. */
    void begin(long afterMicros) {
        if (state.compareAndSet(State.RESTING, State.UNDER_WAY)) {
            next(afterMicros, SOON_MICROS);
        } else {
            state.compareAndSet(State.UNDER_WAY, State.BEGUN_AGAIN);
        }
    }

    void stop() {
        stopped = true;
    }

    private void next(long micros, long aboutMicros) {
        long jittered = micros + aboutMicros / 2 + random.nextLong(aboutMicros);
        try {
            scheduler.after(Duration.of(jittered, ChronoUnit.MICROS), this::round);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "the scheduler failed; background work is paused until it is next needed", e);
            state.set(State.RESTING);
        }
    }

    private void round() {
        if (stopped) {
            return;
        }
        long pauseMicros = doSome();
        if (pauseMicros != DONE) {
            next(0, pauseMicros);
        } else if (!state.compareAndSet(State.UNDER_WAY, State.RESTING)) {
            state.set(State.UNDER_WAY);
            next(0, SOON_MICROS);
        }
    }

    private long doSome() {
        try {
            return work.getAsLong();
        } catch (RuntimeException | Error e) { // including out of memory, because nothing else would retry
            LOG.log(Level.WARNING, "background work failed; it will be retried", e);
            return SOON_MICROS;
        }
    }
}
