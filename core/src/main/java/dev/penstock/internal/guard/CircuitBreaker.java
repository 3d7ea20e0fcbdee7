package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.Guard.Breaker;
import java.util.random.RandomGenerator;

/**
 * Decides whether the store is asked. Driven by decisions and the clock alone.
 *
 * <p>It opens when {@value #TOO_MANY} of the last {@value #LOOKED_AT} answers failed: so many in a row suffice, and a store
 * that is late every other time, which a count of failures in a row would never see, is left alone as well. Open, it lets
 * nobody through until a pause with jitter is over; then one probe at a time, each after a longer pause. When a probe
 * comes back, every {@value #FIRST_STEP}th decision is let through, then twice as many with each step that was long enough
 * and brought a success, so that a store that recovers meets no herd; a failure on the way opens it again. Decisions that
 * shares stand in for wait until all nodes have gathered: they return at one moment.
 *
 * <p>Thread-safe. While all is well it reads one field. A clock that is set back ends a pause early, never late.
 */
public final class CircuitBreaker {
    /** What a decision may do. */
    public enum Passage {
        /** Ask the store. */
        ASK,
        /** Ask the store, and find out whether it is back. */
        PROBE,
        /** Leave the store alone. */
        REFUSED
    }

    /** Whether a decision returns to the store with those of all other nodes, or for itself. */
    public enum Company {
        ALONE,
        TOGETHER
    }

    /** Is told what becomes of the store. */
    public interface Watcher {
        /** It is given up. */
        void opened(long nowMicros);

        /** It answered a probe. */
        void found();

        /** It is fully back. */
        void closed(long nowMicros);
    }

    /** A time to wait from a moment on; over as well when the clock was set back before that moment. */
    private record Pause(long sinceMicros, long lengthMicros) {
        boolean isOver(long nowMicros) {
            long elapsed = nowMicros - sinceMicros;
            return elapsed >= lengthMicros || elapsed < 0;
        }

        long leftMicros(long nowMicros) {
            return isOver(nowMicros) ? 0 : sinceMicros + lengthMicros - nowMicros;
        }
    }

    static final int LOOKED_AT = 10;
    static final int TOO_MANY = 5;
    static final int FIRST_STEP = 4;
    static final long STEP_MICROS = 250_000;
    static final long SHORTEST_PAUSE_MICROS = 100_000;
    static final long LONGEST_PAUSE_MICROS = 1_000_000;

    private final Clock clock;
    private final RandomGenerator random;
    private final Watcher watcher;
    private final long gatherMicros;

    private volatile Breaker mode = Breaker.CLOSED;
    private volatile Pause pause = new Pause(0, 0);

    /** While returning: until all nodes have gathered. */
    private volatile Pause gathering = new Pause(0, 0);

    /** The last answers while closed, a bit each, the newest lowest; set where one failed. */
    private volatile int failures;

    private long nextPauseMicros = SHORTEST_PAUSE_MICROS;

    /** While returning, one of so many decisions is let through. */
    private int oneOf;

    private int turn;
    private boolean stepSucceeded;

    /** @param gatherMicros how long to wait for other nodes before the return; zero where there are none to wait for */
    public CircuitBreaker(Clock clock, RandomGenerator random, Watcher watcher, long gatherMicros) {
        this.clock = clock;
        this.random = random;
        this.watcher = watcher;
        this.gatherMicros = gatherMicros;
    }

    /** Whether a decision may ask the store; who may has to tell how it went. */
    public Passage enter(Company company) {
        if (mode == Breaker.CLOSED) {
            return Passage.ASK;
        }
        long now = clock.micros();
        Breaker present = mode;
        boolean waits = (present == Breaker.OPEN && !pause.isOver(now))
                || (present == Breaker.RETURNING && company == Company.TOGETHER && !gathering.isOver(now));
        return waits ? Passage.REFUSED : enter(now);
    }

    private Passage enter(long now) {
        Passage passage;
        boolean closes;
        synchronized (this) {
            closes = mode == Breaker.RETURNING && climbs(now);
            passage = switch (mode) {
                case CLOSED -> Passage.ASK;
                case OPEN, PROBING -> probe(now);
                case RETURNING -> turn++ % oneOf == 0 ? Passage.ASK : Passage.REFUSED;
            };
        }
        if (closes) {
            watcher.closed(now);
        }
        return passage;
    }

    /** One probe at a time; one that is out for longer than any pause does not keep others back. */
    private Passage probe(long now) {
        if (!pause.isOver(now)) {
            return Passage.REFUSED;
        }
        mode = Breaker.PROBING;
        pause = new Pause(now, LONGEST_PAUSE_MICROS);
        return Passage.PROBE;
    }

    /** Goes on to the next step where this one has shown enough; answers whether it was the last. */
    private boolean climbs(long now) {
        if (!stepSucceeded || !pause.isOver(now)) {
            return false;
        }
        if (oneOf > 1) {
            oneOf /= 2;
            startStep(now);
        }
        if (oneOf > 1 || !gathering.isOver(now)) {
            return false;
        }
        failures = 0;
        nextPauseMicros = SHORTEST_PAUSE_MICROS;
        mode = Breaker.CLOSED;
        return true;
    }

    private void startStep(long now) {
        turn = 0;
        stepSucceeded = false;
        pause = new Pause(now, STEP_MICROS);
    }

    /** The store answered in time. */
    public void succeeded(Passage passage) {
        if (mode == Breaker.CLOSED && failures == 0) {
            return;
        }
        long now = clock.micros();
        boolean found = false;
        boolean closes = false;
        synchronized (this) {
            if (mode == Breaker.CLOSED) {
                note(0);
            } else if (mode == Breaker.PROBING && passage == Passage.PROBE) {
                found = true;
                gathering = new Pause(now, gatherMicros);
                oneOf = FIRST_STEP;
                startStep(now);
                mode = Breaker.RETURNING;
            } else if (mode == Breaker.RETURNING) {
                stepSucceeded = true;
                closes = climbs(now);
            }
        }
        if (found) {
            watcher.found();
        }
        if (closes) {
            watcher.closed(now);
        }
    }

    /** The store was not asked after all: somebody before it knew the answer. Another decision may probe. */
    public void notAsked(Passage passage) {
        if (passage == Passage.PROBE) {
            synchronized (this) {
                if (mode == Breaker.PROBING) {
                    pause = new Pause(clock.micros(), 0);
                    mode = Breaker.OPEN;
                }
            }
        }
    }

    /** The first of all nodes found the store so long ago. Answers how long to wait for the others from now on. */
    public synchronized long gatherSince(long agoMicros) {
        gathering = new Pause(clock.micros(), Math.max(0, gatherMicros - agoMicros));
        return gathering.lengthMicros;
    }

    /** The store failed, or did not answer in time. */
    public void failed(Passage passage) {
        long now = clock.micros();
        boolean opens = false;
        synchronized (this) {
            if (mode == Breaker.CLOSED) {
                note(1);
                opens = Integer.bitCount(failures) >= TOO_MANY;
            }
            if (opens || mode == Breaker.RETURNING || (mode == Breaker.PROBING && passage == Passage.PROBE)) {
                open(now);
            }
        }
        if (opens) {
            watcher.opened(now);
        }
    }

    private void note(int failure) {
        failures = (failures << 1 | failure) & ((1 << LOOKED_AT) - 1);
    }

    private void open(long now) {
        pause = new Pause(now, nextPauseMicros / 2 + random.nextLong(nextPauseMicros));
        nextPauseMicros = Math.min(2 * nextPauseMicros, LONGEST_PAUSE_MICROS);
        mode = Breaker.OPEN;
    }

    public Breaker state() {
        return mode;
    }

    /** Whether the store is asked as if nothing had ever happened. */
    public boolean isClosed() {
        return mode == Breaker.CLOSED;
    }

    /** Whether the store is as good as gone: nobody but a probe asks it. */
    public boolean isOpen() {
        Breaker now = mode;
        return now == Breaker.OPEN || now == Breaker.PROBING;
    }

    /** Whether nobody waits for other nodes any more: the store can be told what was given out without it. */
    boolean isGathered() {
        Breaker now = mode;
        return now == Breaker.CLOSED || (now == Breaker.RETURNING && gathering.isOver(clock.micros()));
    }

    /** A guess at when the store may be asked again. */
    public long retryMicros() {
        long left = pause.leftMicros(clock.micros());
        return isOpen() && left > 0 ? left : SHORTEST_PAUSE_MICROS;
    }
}
