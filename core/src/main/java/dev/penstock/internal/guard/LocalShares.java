package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Settlement;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.AccountName;
import dev.penstock.internal.BoundedMap;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This process's shares of limits. All charges of a request are decided together, in memory, and each share starts from
 * the store's last report. Thread-safe and bounded: if there are too many accounts, the oldest are dropped together
 * with what they owe to the store.
 */
public final class LocalShares {
    /** A charge on the whole limit, and the same charge on the local share. */
    record Pair(Charge whole, Charge part) {}

    /** States whether a request may have reached the store. */
    public enum Sent {
        /** The request was never sent. */
        NO,
        /** The request was sent, and the store may have charged it. */
        PERHAPS
    }

    /** The prefix of permit ids, which have the form of a memory engine's. */
    private static final String NAME = "memory";

    private final MemoryStore engine;
    private final StoreReports words;
    private final Clock clock;
    private final BoundedMap<AccountName, OutageSpending> tabs;

    /** @param rememberMicros how long answers to permits and ids are remembered */
    public LocalShares(int maxKeys, long rememberMicros, StoreReports words, Clock clock) {
        // There is room for more accounts than tabs, because a share whose tab still exists must not be dropped and
        // start full again.
        this.engine = new MemoryStore(NAME, clock, 2 * maxKeys, WhenFull.EVICT_OLDEST, rememberMicros);
        this.words = words;
        this.clock = clock;
        this.tabs = new BoundedMap<>(maxKeys);
    }

    Decision decide(Ask ask, List<Pair> charges, int nodes, Sent sent) {
        long now = clock.micros();
        List<OutageSpending> used = new ArrayList<>(charges.size());
        List<Charge> parts = new ArrayList<>(charges.size());
        for (Pair charge : charges) {
            AccountName name = new AccountName(charge.whole);
            OutageSpending tab =
                    tabs.getOrAdd(name, () -> new OutageSpending(engine, words, charge.whole, charge.part));
            tab.start(charge.whole, charge.part, words.of(name), nodes, now);
            used.add(tab);
            parts.add(charge.part);
        }
        Decision decision = engine.decide(ask.withCharges(parts));
        if (sent == Sent.PERHAPS && decision.isAllowed() && ask.purpose() == Ask.Purpose.DECIDE) {
            except(decision.limits(), used, now);
        }
        return decision;
    }

    private static void except(List<LimitStatus> made, List<OutageSpending> tabs, long now) {
        for (int i = 0; i < made.size(); i++) {
            if (!made.get(i).isExceeded()) {
                tabs.get(i).except(made.get(i).cost(), now);
            }
        }
    }

    /** Returns whether the fallback may remember an answer under the ask's id. */
    public boolean mayRemember(Ask ask) {
        return engine.mayRemember(ask);
    }

    /** Returns whether the permit id has the form of ids issued here. */
    public boolean mayHaveIssued(String permitId) {
        return engine.mayHaveIssued(permitId);
    }

    public Settlement settle(String permitId, @Nullable Costs actual) {
        return engine.settle(permitId, actual);
    }

    public Settlement renew(String permitId) {
        return engine.renew(permitId);
    }

    /** Drops the local counts and everything owed to the store for these accounts. */
    public void reset(Ask ask) {
        engine.reset(ask);
        for (Charge charge : ask.charges()) {
            tabs.remove(new AccountName(charge));
            words.noteReset(charge);
        }
    }

    /** Drops the local counts and everything owed to the store for all accounts of these counters. */
    public void resetCounters(Set<String> counters) {
        engine.resetCounters(counters);
        tabs.removeIf(name -> name.isOf(counters));
        words.forget(counters);
    }

    BoundedMap<AccountName, OutageSpending> tabs() {
        return tabs;
    }
}
