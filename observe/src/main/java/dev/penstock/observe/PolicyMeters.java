package dev.penstock.observe;

import dev.penstock.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The counters of one policy, and their rate. */
final class PolicyMeters {
    private final List<AllowedBlockedCounters> routes = new CopyOnWriteArrayList<>();
    private final RecentRate rate;

    PolicyMeters(Clock clock) {
        this.rate = new RecentRate(clock, () -> counted().requests());
    }

    void add(AllowedBlockedCounters route) {
        routes.add(route);
    }

    DecisionTotals counted() {
        return routes.stream()
                .map(AllowedBlockedCounters::counted)
                .reduce(DecisionTotals.NOTHING, DecisionTotals::plus);
    }

    /** Returns the requests per second. */
    double rate() {
        return rate.perSecond();
    }
}
