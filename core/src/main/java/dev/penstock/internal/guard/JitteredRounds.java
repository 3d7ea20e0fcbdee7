package dev.penstock.internal.guard;

import dev.penstock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Work that is done bit by bit, one round after the other, with jitter between them so that nodes do not march in step.
 * Thread-safe: of one work no two rounds run at a time.
 */
final class JitteredRounds {
    /** The answer of a round after which nothing is left. */
    static final long DONE = 0;

    /** What {@link #begin} is called with for a usual pause before the first round. */
    static final long SOON_MICROS = 100_000;

    private enum State {
        RESTING,
        UNDER_WAY,
        /** Begun again meanwhile: there may be more than the round that finds nothing has seen. */
        BEGUN_AGAIN
    }

    private static final System.Logger LOG = System.getLogger(JitteredRounds.class.getName());

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final LongSupplier work;
    private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);
    private volatile boolean stopped;

    /** @param work does a bit; answers about how many microseconds to wait for the next round, or {@link #DONE} */
    JitteredRounds(Scheduler scheduler, RandomGenerator random, LongSupplier work) {
        this.scheduler = scheduler;
        this.random = random;
        this.work = work;
    }

    /** Starts the rounds after that time and a jittered pause, unless they are under way. */
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
            LOG.log(Level.WARNING, "the scheduler failed; it is tried again with the next occasion", e);
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
        } catch (RuntimeException | Error e) { // also out of memory: else nobody would ever try again
            LOG.log(Level.WARNING, "a round failed; it is tried again", e);
            return SOON_MICROS;
        }
    }
}
