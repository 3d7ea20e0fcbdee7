package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.engine.StoreOutageEvent;
import dev.penstock.engine.StoreOutageListener;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the outages of all shards of a store, and notifies the listeners. A time during which several shards are
 * unavailable counts once. Thread-safe.
 */
public final class Outages {
    private static final System.Logger LOG = System.getLogger(Outages.class.getName());

    private final List<StoreOutageListener> listeners;
    private final Clock clock;
    private long entries;
    private long spentMicros;
    private long sinceMicros;
    private int under;

    public Outages(List<StoreOutageListener> listeners, Clock clock) {
        this.listeners = List.copyOf(listeners);
        this.clock = clock;
    }

    synchronized void began(long nowMicros) {
        entries++;
        if (under++ == 0) {
            sinceMicros = nowMicros;
        }
    }

    synchronized void ended(long nowMicros) {
        if (--under == 0) {
            spentMicros += Math.max(0, nowMicros - sinceMicros);
        }
    }

    void notifyListeners(StoreOutageEvent event) {
        for (StoreOutageListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a guard listener failed: " + listener.getClass(), e);
            }
        }
    }

    /** Returns the number of outages, counted for each shard. */
    public synchronized long entries() {
        return entries;
    }

    /** Returns the total time during which at least one shard was unavailable, including the current outage. */
    public synchronized Duration spent() {
        long present = under == 0 ? 0 : Math.max(0, clock.micros() - sinceMicros);
        return Duration.of(spentMicros + present, ChronoUnit.MICROS);
    }

    /** Returns whether a shard is unavailable. */
    public synchronized boolean isOn() {
        return under > 0;
    }

    /** Returns when the current outage of at least one shard began, or null if there is none. */
    public synchronized @Nullable Instant since() {
        return under == 0 ? null : Outage.instant(sinceMicros);
    }
}
