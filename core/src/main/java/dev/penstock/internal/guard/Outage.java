package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.GuardEvent;
import dev.penstock.GuardListener;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The time without the store: when it began, which failure mode a plan has reached by now, and who is notified.
 * Thread-safe.
 */
public final class Outage {
    private static final System.Logger LOG = System.getLogger(Outage.class.getName());

    /** A mode and its bound: each ends once per outage. */
    private record Phase(FailureMode mode, FailurePlan.Bound bound) {}

    /** The time of no outage. */
    private static final long NONE = Long.MIN_VALUE;

    private final String store;
    private final FailurePlan.Bound localBound;
    private final List<GuardListener> listeners;
    private final LongAdder decisions = new LongAdder();
    private final Set<Phase> endedPhases = ConcurrentHashMap.newKeySet();
    private final Clock clock;
    private final LongAdder entries = new LongAdder();
    private final LongAdder spentBeforeMicros = new LongAdder();
    private volatile long sinceMicros = NONE;

    /** @param localBound the bound of {@code LOCAL} plans that have none of their own */
    public Outage(String store, FailurePlan.Bound localBound, List<GuardListener> listeners, Clock clock) {
        this.store = store;
        this.localBound = localBound;
        this.listeners = List.copyOf(listeners);
        this.clock = clock;
    }

    public void opened(long nowMicros, String why) {
        entries.increment();
        decisions.reset();
        endedPhases.clear();
        sinceMicros = nowMicros;
        tell(new GuardEvent.Entered(store, instant(nowMicros), why));
    }

    public void closed(long nowMicros) {
        long since = sinceMicros;
        sinceMicros = NONE;
        Duration spent = Duration.of(Math.max(0, nowMicros - since), ChronoUnit.MICROS);
        spentBeforeMicros.add(Math.max(0, nowMicros - since));
        tell(new GuardEvent.Left(store, instant(nowMicros), spent, decisions.sum()));
    }

    /** A decision was made without the store. */
    void count() {
        decisions.increment();
    }

    /** How many there were. */
    public long entries() {
        return entries.sum();
    }

    /** How long they were in all, the present one included. */
    public Duration spent() {
        long since = sinceMicros;
        long present = since == NONE ? 0 : Math.max(0, clock.micros() - since);
        return Duration.of(spentBeforeMicros.sum() + present, ChronoUnit.MICROS);
    }

    public boolean isOn() {
        return sinceMicros != NONE;
    }

    /** When it began; null where there is none. */
    public @Nullable Instant since() {
        long since = sinceMicros;
        return since == NONE ? null : instant(since);
    }

    /** The failure mode that decides for the plan now. Reports the first time that a mode's time is found to be up. */
    FailureMode mode(FailurePlan plan, long nowMicros) {
        FailurePlan.Bound bound = boundOf(plan);
        long since = sinceMicros;
        if (bound == null || since == NONE || nowMicros - since < bound.time().toNanos() / 1_000) {
            return plan.mode();
        }
        if (endedPhases.add(new Phase(plan.mode(), bound))) {
            tell(new GuardEvent.TimeUp(store, instant(nowMicros), plan.mode(), bound.then()));
        }
        return bound.then();
    }

    /** The mode for a limit that has no share while shares decide: the mode that follows, or else {@code CLOSED}. */
    FailureMode withoutShare(FailurePlan plan) {
        FailurePlan.Bound bound = boundOf(plan);
        return bound == null || bound.then() == FailureMode.LOCAL ? FailureMode.CLOSED : bound.then();
    }

    private FailurePlan.@Nullable Bound boundOf(FailurePlan plan) {
        return plan.bound() == null && plan.mode() == FailureMode.LOCAL ? localBound : plan.bound();
    }

    private void tell(GuardEvent event) {
        for (GuardListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a guard listener failed: " + listener.getClass(), e);
            }
        }
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
