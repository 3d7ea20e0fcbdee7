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
 * This process's shares of limits: all charges of a request decided together, in memory, from where the store left off.
 * Thread-safe and bounded: of more accounts than may be kept the oldest are forgotten, and what is owed for them.
 */
public final class LocalShares {
    /** A charge as the policy makes it, and on the share of its limit. */
    record Pair(Charge whole, Charge part) {}

    /** Whether the store may know of a request. */
    public enum Sent {
        /** It was never asked. */
        NO,
        /** It was asked, and may have charged it. */
        PERHAPS
    }

    /** The permits of shares have the ids of a memory engine. */
    private static final String NAME = "memory";

    private static final long REMEMBER_MICROS = 60_000_000;

    private final MemoryStore engine;
    private final StoreReports words;
    private final Clock clock;
    private final BoundedMap<AccountName, OutageSpending> tabs;

    public LocalShares(int maxKeys, StoreReports words, Clock clock) {
        // Room for more accounts than tabs: a share whose tab is still there must not be forgotten and start full.
        this.engine = new MemoryStore(NAME, clock, 2 * maxKeys, WhenFull.EVICT_OLDEST, REMEMBER_MICROS);
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

    /** Whether an answer given here is remembered under the ask's id. */
    public boolean mayRemember(Ask ask) {
        return engine.mayRemember(ask);
    }

    /** Whether the permit's id is of the kind that is issued here. */
    public boolean mayHaveIssued(String permitId) {
        return engine.mayHaveIssued(permitId);
    }

    public Settlement settle(String permitId, @Nullable Costs actual) {
        return engine.settle(permitId, actual);
    }

    public Settlement renew(String permitId) {
        return engine.renew(permitId);
    }

    /** Forgets what was counted here, and what the store has yet to be told of it. */
    public void reset(Ask ask) {
        engine.reset(ask);
        for (Charge charge : ask.charges()) {
            tabs.remove(new AccountName(charge));
            words.noteReset(charge);
        }
    }

    /** The same of all accounts of these counters. */
    public void resetCounters(Set<String> counters) {
        engine.resetCounters(counters);
        tabs.removeIf(name -> name.isOf(counters));
        words.forget(counters);
    }

    BoundedMap<AccountName, OutageSpending> tabs() {
        return tabs;
    }
}
