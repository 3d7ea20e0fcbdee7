package dev.penstock.testkit;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.LockStep.Mismatch;
import dev.penstock.testkit.LockStep.Numbered;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs random traces on new engines in lock step with the {@link ReferenceEngine}, and fails at the first difference.
 *
 * <p>A failure names the seed, the flavor and the step. It shows the shortest differing trace that was found, or if
 * there is none, the last steps on the same accounts. Not thread-safe.
 */
public final class TraceRunner {
    private static final int MOST_REPLAYS = 4_000;
    private static final int STEPS_SHOWN = 14;

    private final Function<ManualClock, Engine> engines;
    private final int mostExpired;
    private int replays;

    /**
     * Creates a runner.
     *
     * @param engines creates an engine that uses the clock and forgets neither settled permits nor ids during a trace
     */
    public TraceRunner(Function<ManualClock, Engine> engines) {
        this(engines, Integer.MAX_VALUE);
    }

    /**
     * Creates a runner.
     *
     * @param mostExpired how many expired holds one call to an engine ends, oldest first; the others stay held
     */
    public TraceRunner(Function<ManualClock, Engine> engines, int mostExpired) {
        this.engines = engines;
        this.mostExpired = mostExpired;
    }

    /** Runs this number of steps of the trace. */
    public void run(RandomTrace trace, int steps) {
        ManualClock clock = new ManualClock();
        List<Numbered> taken = new ArrayList<>();
        try (Engine engine = engines.apply(clock)) {
            LockStep run = new LockStep(engine, clock, mostExpired);
            for (int i = 0; i < steps; i++) {
                long now = clock.micros();
                Step step = i == 0 ? new Step.Turn(trace.startMicros()) : trace.next(now);
                Numbered numbered = new Numbered(i, step);
                taken.add(numbered);
                try {
                    Expected expected = run.take(numbered);
                    if (expected != null && step instanceof Step.Decide decide) {
                        trace.saw(i, decide.ask(), expected, now);
                    }
                } catch (Mismatch mismatch) {
                    throw failure(trace, taken, run, mismatch);
                }
            }
        }
    }

    private AssertionError failure(RandomTrace trace, List<Numbered> taken, LockStep run, Mismatch mismatch) {
        Numbered last = taken.get(taken.size() - 1);
        String text = "seed " + trace.seed() + " " + trace.flavor() + ": the engine differs from the reference at step "
                + last.number() + ", " + last.step() + "\n" + mismatch.getMessage() + "\n";
        replays = 0;
        List<Numbered> shortest = shortened(taken);
        ManualClock clock = new ManualClock();
        try (Engine engine = engines.apply(clock)) {
            LockStep replay = new LockStep(engine, clock, mostExpired);
            Mismatch again = firstMismatch(replay, shortest);
            if (again != null) {
                text += "the shortest trace found that differs:\n" + describe(replay.taken()) + "\n"
                        + again.getMessage();
            } else {
                text += "it does not differ again when replayed; the last steps on the accounts concerned:\n"
                        + describe(run.lastSteps(STEPS_SHOWN));
            }
        }
        return new AssertionError(text, mismatch);
    }

    private static String describe(List<LockStep.Taken> steps) {
        return steps.stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    /** Returns a trace with a difference, with as many steps and charges left out as possible. */
    private List<Numbered> shortened(List<Numbered> steps) {
        List<Numbered> shortest = steps;
        for (int length = Math.max(1, steps.size() / 2); length >= 1; length = length / 2) {
            for (int from = 0; from < shortest.size(); ) {
                List<Numbered> fewer = new ArrayList<>(shortest);
                fewer.subList(from, Math.min(shortest.size(), from + length)).clear();
                if (differs(fewer)) {
                    shortest = fewer;
                } else {
                    from += length;
                }
            }
        }
        for (int i = 0; i < shortest.size(); i++) {
            shortest = withFewerCharges(shortest, i);
        }
        return shortest;
    }

    private List<Numbered> withFewerCharges(List<Numbered> steps, int i) {
        List<Numbered> shortest = steps;
        for (int j = 0;
                shortest.get(i).step() instanceof Step.Decide decide
                        && j < decide.ask().size(); ) {
            List<Numbered> fewer = new ArrayList<>(shortest);
            fewer.set(i, new Numbered(shortest.get(i).number(), new Step.Decide(without(decide.ask(), j))));
            if (differs(fewer)) {
                shortest = fewer;
            } else {
                j++;
            }
        }
        return shortest;
    }

    private static Ask without(Ask ask, int index) {
        List<Charge> charges = new ArrayList<>(ask.charges());
        charges.remove(index);
        Ask fewer = Ask.of(charges);
        if (ask.maxDelayMicros() != Long.MAX_VALUE) {
            fewer = fewer.maxDelay(Duration.of(ask.maxDelayMicros(), ChronoUnit.MICROS));
        }
        if (ask.hold() != null) {
            fewer = fewer.hold(ask.hold());
        }
        return ask.purpose() == Ask.Purpose.PEEK ? fewer.peek() : fewer;
    }

    private boolean differs(List<Numbered> steps) {
        if (replays >= MOST_REPLAYS) {
            return false;
        }
        replays++;
        ManualClock clock = new ManualClock();
        try (Engine engine = engines.apply(clock)) {
            return firstMismatch(new LockStep(engine, clock, mostExpired), steps) != null;
        }
    }

    private static @Nullable Mismatch firstMismatch(LockStep run, List<Numbered> steps) {
        for (Numbered step : steps) {
            try {
                run.take(step);
            } catch (Mismatch mismatch) {
                return mismatch;
            }
        }
        return null;
    }
}
