package dev.penstock.observe;

import dev.penstock.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is counted of one policy, and how fast it grows. */
final class PolicyCounts {
    private final List<RouteCounts> routes = new CopyOnWriteArrayList<>();
    private final RecentRate rate;

    PolicyCounts(Clock clock) {
        this.rate = new RecentRate(clock, () -> counted().requests());
    }

    void add(RouteCounts route) {
        routes.add(route);
    }

    Counted counted() {
        return routes.stream().map(RouteCounts::counted).reduce(Counted.NOTHING, Counted::plus);
    }

    /** Requests a second. */
    double rate() {
        return rate.perSecond();
    }
}
