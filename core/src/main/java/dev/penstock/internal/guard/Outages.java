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
 * Adds up the outages of all shards of a store, and notifies the listeners. Times during which several shards are away count
 * once. Thread-safe.
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

    void tell(StoreOutageEvent event) {
        for (StoreOutageListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "a guard listener failed: " + listener.getClass(), e);
            }
        }
    }

    /** How often a shard was given up. */
    public synchronized long entries() {
        return entries;
    }

    /** How long at least one shard was away, the present time included. */
    public synchronized Duration spent() {
        long present = under == 0 ? 0 : Math.max(0, clock.micros() - sinceMicros);
        return Duration.of(spentMicros + present, ChronoUnit.MICROS);
    }

    /** Whether a shard is away. */
    public synchronized boolean isOn() {
        return under > 0;
    }

    /** Since when at least one shard has been away; null if none is. */
    public synchronized @Nullable Instant since() {
        return under == 0 ? null : Outage.instant(sinceMicros);
    }
}
