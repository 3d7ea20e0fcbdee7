package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.engine.Guard.Breaker;
import dev.penstock.internal.guard.CircuitBreaker.Permission;
import dev.penstock.internal.guard.CircuitBreaker.ReturnMode;
import dev.penstock.spi.Ask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a store, each with its own breaker. A store in one place is one shard.
 *
 * <p>Thread-safe. While all shards are healthy, a decision reads one field. The shards of a decision are looked up only
 * while one of them is in doubt. Shards that no longer have keys are dropped, so the table is never much larger than
 * the number of shards in the store.
 */
public final class ShardTable {
    private final ShardNames names;
    private final Shard.Setup setup;
    private final Shard.Listener listener;
    private final Clock clock;
    private final Map<String, Shard> shards = new ConcurrentHashMap<>();

    private volatile boolean areAllClosed = true;

    /** @param listener is called after the table has processed an event */
    public ShardTable(Shard.Setup setup, Shard.Listener listener) {
        this.names = new ShardNames(setup.store());
        this.setup = setup;
        this.listener = listener;
        this.clock = setup.clock();
    }

    private Shard make(String name) {
        return new Shard(name, names, setup, new Watch());
    }

    /** Returns the shard that a round trip is reported under, or null if the store no longer has such a shard. */
    @Nullable
    Shard reported(String name) {
        if (names.isOne()) {
            return named(Shard.WHOLE);
        }
        Shard known = shards.get(name);
        if (known != null) {
            return known;
        }
        return names.isKnown(name) ? named(name) : names.areUnknown() ? named(Shard.WHOLE) : null;
    }

    private Shard named(String name) {
        Shard known = shards.get(name);
        if (known != null) {
            return known;
        }
        shards.values().removeIf(other -> other.breaker().isClosed() && !names.isKnown(other.name()));
        return shards.computeIfAbsent(name, this::make);
    }

    private List<Shard> of(Set<String> shardNames) {
        if (shardNames.size() <= 1) {
            return List.of(named(
                    shardNames.isEmpty() ? Shard.WHOLE : shardNames.iterator().next()));
        }
        return shardNames.stream().map(this::named).toList();
    }

    private List<Shard> of(Ask ask) {
        return of(names.of(ask));
    }

    /** Returns the names of the shards that hold a permit. */
    Set<String> namesOfPermit(String permitId) {
        return names.ofPermit(permitId);
    }

    /** Returns whether every decision may ask the store. */
    public boolean areAllClosed() {
        return areAllClosed;
    }

    /** Returns whether a decision may ask the store, which requires that all of its shards let it pass. */
    public Permission enter(Ask ask, ReturnMode company) {
        for (Shard shard : of(ask)) {
            if (shard.breaker().enter(company) == Permission.REFUSED) {
                return Permission.REFUSED;
            }
        }
        return Permission.ASK;
    }

    /** Returns whether the breakers of all shards of the ask are closed. */
    public boolean areClosed(Ask ask) {
        return areAllClosed
                || of(ask).stream().allMatch(shard -> shard.breaker().isClosed());
    }

    /** Returns whether the breaker of a shard of the ask is open. */
    public boolean isOpen(Ask ask) {
        return !areAllClosed && isAnyOpen(of(ask));
    }

    /** Returns whether the breaker of one of these shards is open. */
    boolean isOpen(Set<String> shardNames) {
        return !areAllClosed && isAnyOpen(of(shardNames));
    }

    private static boolean isAnyOpen(List<Shard> among) {
        return among.stream().anyMatch(shard -> shard.breaker().isOpen());
    }

    /**
     * Returns whether a round trip to a shard of the ask failed or was late at or after this elapsed time of the
     * scheduler.
     */
    public boolean hasFailedSince(Ask ask, long elapsedMicros) {
        return haveFailedSince(of(ask), elapsedMicros);
    }

    boolean hasFailedSince(Set<String> shardNames, long elapsedMicros) {
        return haveFailedSince(of(shardNames), elapsedMicros);
    }

    private static boolean haveFailedSince(List<Shard> among, long elapsedMicros) {
        return among.stream().anyMatch(shard -> shard.breaker().hasFailedSince(elapsedMicros));
    }

    /** Returns whether spending by local shares can be posted to at least one shard. */
    boolean isAnyGathered() {
        return areAllClosed
                || shards.values().stream().anyMatch(shard -> shard.breaker().isGathered());
    }

    /** Returns whether it can be posted to some shards but not necessarily to all. */
    public boolean isPartlyAway() {
        return !names.isOne() && !areAllClosed && isAnyGathered();
    }

    /** Returns whether it can be posted to all shards of the ask. */
    boolean areGathered(Ask ask) {
        return areAllClosed
                || of(ask).stream().allMatch(shard -> shard.breaker().isGathered());
    }

    /** Returns the outage that decides the failure modes of the ask, which is the longest among its shards. */
    Outage outageOf(Ask ask) {
        List<Shard> its = of(ask);
        Outage longest = its.get(0).outage();
        for (Shard shard : its) {
            longest = shard.outage().isLongerThan(longest) ? shard.outage() : longest;
        }
        return longest;
    }

    /** Returns the worst state of any shard. */
    public Breaker state() {
        Breaker worst = Breaker.CLOSED;
        for (Shard shard : shards.values()) {
            Breaker state = shard.breaker().state();
            worst = state == Breaker.OPEN || worst == Breaker.CLOSED ? state : worst;
            if (worst == Breaker.OPEN) {
                break;
            }
        }
        return worst;
    }

    /** Returns the names of the shards that are in an outage, sorted. */
    public List<String> away() {
        return shards.values().stream()
                .map(Shard::outage)
                .filter(Outage::isOn)
                .map(Outage::store)
                .sorted()
                .toList();
    }

    public void stop() {
        shards.values().forEach(Shard::stop);
    }

    /** Checks all shards under the lock, so that the last caller sees the changes of all others. */
    private synchronized void refresh() {
        areAllClosed =
                shards.values().stream().allMatch(shard -> shard.breaker().isClosed());
    }

    /** Updates the table on each event of a shard before the listener is called. */
    private final class Watch implements Shard.Listener {
        @Override
        public void opened(Shard shard) {
            refresh();
            listener.opened(shard);
        }

        @Override
        public void found(Shard shard) {
            listener.found(shard);
        }

        @Override
        public void closed(Shard shard) {
            refresh();
            listener.closed(shard);
        }

        @Override
        public void vanished(Shard shard) {
            if (shards.remove(shard.name(), shard)) {
                refresh();
                if (shard.outage().isOn()) {
                    shard.outage().closed(clock.micros());
                }
                listener.vanished(shard);
            }
        }
    }
}
