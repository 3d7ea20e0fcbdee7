package dev.penstock.internal.guard;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.engine.StoreOutageEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The outage of one shard of the store: when it began, and which failure mode a plan has reached. Thread-safe. */
public final class Outage {
    /** A mode and its bound. Each ends once per outage. */
    private record Phase(FailureMode mode, FailurePlan.Bound bound) {}

    /** The start time if there is no outage. */
    private static final long NONE = Long.MIN_VALUE;

    private final Supplier<String> currentName;
    private final FailurePlan.Bound localBound;
    private final Outages all;
    private final LongAdder decisions = new LongAdder();
    private final Set<Phase> endedPhases = ConcurrentHashMap.newKeySet();
    private volatile String store = "";
    private volatile long sinceMicros = NONE;

    /**
     * Creates a shard's record of outages.
     *
     * @param currentName returns the shard's name in events; an outage keeps the name it began with
     * @param localBound the bound of {@code LOCAL} plans that have none
     */
    Outage(Supplier<String> currentName, FailurePlan.Bound localBound, Outages all) {
        this.currentName = currentName;
        this.localBound = localBound;
        this.all = all;
    }

    void opened(long nowMicros, String why) {
        all.began(nowMicros);
        decisions.reset();
        endedPhases.clear();
        store = currentName.get();
        sinceMicros = nowMicros;
        all.notifyListeners(new StoreOutageEvent.Entered(store, instant(nowMicros), why));
    }

    void closed(long nowMicros) {
        long since = sinceMicros;
        sinceMicros = NONE;
        all.ended(nowMicros);
        Duration spent = Duration.of(Math.max(0, nowMicros - since), ChronoUnit.MICROS);
        all.notifyListeners(new StoreOutageEvent.Left(store, instant(nowMicros), spent, decisions.sum()));
    }

    /** Counts a decision that was made without the store. */
    void count() {
        decisions.increment();
    }

    boolean isOn() {
        return sinceMicros != NONE;
    }

    /** Returns the shard's name in events. */
    String store() {
        return store;
    }

    /** Returns whether this outage has lasted longer than the other one. Either may not be in progress. */
    boolean isLongerThan(Outage other) {
        return isOn() && (!other.isOn() || sinceMicros < other.sinceMicros);
    }

    /** Returns the plan's current failure mode. Reports it once when the time of a mode is first found to be up. */
    FailureMode mode(FailurePlan plan, long nowMicros) {
        FailurePlan.Bound bound = boundOf(plan);
        long since = sinceMicros;
        if (bound == null || since == NONE || nowMicros - since < bound.time().toNanos() / 1_000) {
            return plan.mode();
        }
        if (endedPhases.add(new Phase(plan.mode(), bound))) {
            all.notifyListeners(new StoreOutageEvent.TimeUp(store, instant(nowMicros), plan.mode(), bound.then()));
        }
        return bound.then();
    }

    /**
     * Returns the mode for a limit that has no share while shares decide: the mode that follows, or {@code CLOSED} if
     * none does.
     */
    FailureMode withoutShare(FailurePlan plan) {
        FailurePlan.Bound bound = boundOf(plan);
        return bound == null || bound.then() == FailureMode.LOCAL ? FailureMode.CLOSED : bound.then();
    }

    private FailurePlan.@Nullable Bound boundOf(FailurePlan plan) {
        return plan.bound() == null && plan.mode() == FailureMode.LOCAL ? localBound : plan.bound();
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
