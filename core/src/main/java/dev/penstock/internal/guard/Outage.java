package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.FailureMode;
import dev.penstock.GuardEvent;
import dev.penstock.GuardListener;
import dev.penstock.LocalBound;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The time without the store: when it began, whether shares may still stand in, and who is told. Thread-safe. */
public final class Outage {
    private static final System.Logger LOG = System.getLogger(Outage.class.getName());

    /** The time of no outage. */
    private static final long NONE = Long.MIN_VALUE;

    private final String store;
    private final LocalBound usual;
    private final List<GuardListener> listeners;
    private final LongAdder decisions = new LongAdder();
    private final Set<LocalBound> timeUpTold = ConcurrentHashMap.newKeySet();
    private final Clock clock;
    private final LongAdder entries = new LongAdder();
    private final LongAdder spentBeforeMicros = new LongAdder();
    private volatile long sinceMicros = NONE;

    public Outage(String store, LocalBound usual, List<GuardListener> listeners, Clock clock) {
        this.store = store;
        this.usual = usual;
        this.listeners = List.copyOf(listeners);
        this.clock = clock;
    }

    public void opened(long nowMicros, String why) {
        entries.increment();
        decisions.reset();
        timeUpTold.clear();
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

    /** What a charge is worth now that was to be decided by its share, for as long as its own bound says. */
    FailureMode local(@Nullable LocalBound own, long nowMicros) {
        LocalBound bound = own == null ? usual : own;
        long since = sinceMicros;
        if (since == NONE || nowMicros - since < bound.atMost().toNanos() / 1_000) {
            return FailureMode.LOCAL;
        }
        if (timeUpTold.add(bound)) {
            tell(new GuardEvent.LocalTimeUp(store, instant(nowMicros), bound.then()));
        }
        return bound.then();
    }

    /** What a charge is worth whose limit has no share. */
    FailureMode withoutShare(@Nullable LocalBound own) {
        return own == null ? usual.then() : own.then();
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
