package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.engine.Guard.Breaker;
import dev.penstock.internal.guard.CircuitBreaker.Company;
import dev.penstock.internal.guard.CircuitBreaker.Passage;
import dev.penstock.spi.Ask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a store, each with a breaker of its own. A store in one place is one shard.
 *
 * <p>Thread-safe. While all shards are healthy, a decision reads one field; only while one is in doubt are the shards of a
 * decision looked up. Shards that no longer have keys are dropped, so there are never many more than the store has.
 */
public final class ShardTable {
    private final ShardNames names;
    private final Shard.Setup setup;
    private final Shard.Listener listener;
    private final Clock clock;
    private final Map<String, Shard> shards = new ConcurrentHashMap<>();

    private volatile boolean areAllClosed = true;

    /** @param listener is called after the table has taken notice */
    public ShardTable(Shard.Setup setup, Shard.Listener listener) {
        this.names = new ShardNames(setup.store());
        this.setup = setup;
        this.listener = listener;
        this.clock = setup.clock();
    }

    private Shard make(String name) {
        return new Shard(name, names, setup, new Watch());
    }

    /** The shard that a trip is reported under; null if the store has no such shard any more. */
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

    /** The names of the shards that hold a permit. */
    Set<String> namesOfPermit(String permitId) {
        return names.ofPermit(permitId);
    }

    /** Whether every decision may ask the store. */
    public boolean areAllClosed() {
        return areAllClosed;
    }

    /** Whether a decision may ask the store: if all of its shards let it pass. */
    public Passage enter(Ask ask, Company company) {
        for (Shard shard : of(ask)) {
            if (shard.breaker().enter(company) == Passage.REFUSED) {
                return Passage.REFUSED;
            }
        }
        return Passage.ASK;
    }

    /** Whether all shards of the ask are asked for everything. */
    public boolean areClosed(Ask ask) {
        return areAllClosed
                || of(ask).stream().allMatch(shard -> shard.breaker().isClosed());
    }

    /** Whether a shard of the ask is given up. */
    public boolean isOpen(Ask ask) {
        return !areAllClosed && isAnyOpen(of(ask));
    }

    /** Whether one of these shards is given up. */
    boolean isOpen(Set<String> shardNames) {
        return !areAllClosed && isAnyOpen(of(shardNames));
    }

    private static boolean isAnyOpen(List<Shard> among) {
        return among.stream().anyMatch(shard -> shard.breaker().isOpen());
    }

    /** Whether trips to a shard of the ask failed or were late at that time or after it. */
    public boolean hasFailedSince(Ask ask, long micros) {
        return haveFailedSince(of(ask), micros);
    }

    boolean hasFailedSince(Set<String> shardNames, long micros) {
        return haveFailedSince(of(shardNames), micros);
    }

    private static boolean haveFailedSince(List<Shard> among, long micros) {
        return among.stream().anyMatch(shard -> shard.breaker().hasFailedSince(micros));
    }

    /** Whether a shard can take what was given out without it. */
    boolean isAnyGathered() {
        return areAllClosed
                || shards.values().stream().anyMatch(shard -> shard.breaker().isGathered());
    }

    /** Whether some shards can, and others cannot. */
    public boolean isPartlyAway() {
        return !names.isOne() && !areAllClosed && isAnyGathered();
    }

    /** Whether the shards of the ask can take what was given out without them. */
    boolean areGathered(Ask ask) {
        return areAllClosed
                || of(ask).stream().allMatch(shard -> shard.breaker().isGathered());
    }

    /** The outage that decides the failure modes of the ask: the longest of its shards. */
    Outage outageOf(Ask ask) {
        List<Shard> its = of(ask);
        Outage longest = its.get(0).outage();
        for (Shard shard : its) {
            longest = shard.outage().isLongerThan(longest) ? shard.outage() : longest;
        }
        return longest;
    }

    /** The worst state of any shard. */
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

    /** The names of the shards that are away, in order. */
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

    /** Looks at all shards under the lock: whoever comes last sees what all the others did. */
    private synchronized void refresh() {
        areAllClosed =
                shards.values().stream().allMatch(shard -> shard.breaker().isClosed());
    }

    /** Notes what becomes of a shard before the listener does. */
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
