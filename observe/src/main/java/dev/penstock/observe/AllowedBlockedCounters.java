package dev.penstock.observe;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.internal.Expect;
import dev.penstock.observe.RequestOutcome.Outcome;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Increments {@code rate_limiter_allowed_total}, {@code rate_limiter_blocked_total},
 * {@code rate_limiter_shadow_blocked_total} and {@code rate_limiter_near_limit_total} for one policy on one route. A
 * counter becomes a series when it is first incremented.
 */
final class AllowedBlockedCounters {
    private final String route;
    private final Series series;
    private final Cell allowed;
    private final Cell shadowDenied;
    private final Cell nearLimit;
    private final Map<DecidedBy, Cell> blocked = new EnumMap<>(DecidedBy.class);

    /**
     * Creates the counters of a policy and route.
     *
     * @param others counts for series that are refused; null if these are the {@code (others)} counters, which are
     *     never refused
     */
    AllowedBlockedCounters(String policy, String route, Series series, @Nullable AllowedBlockedCounters others) {
        this.route = route;
        this.series = series;
        Tags tags = Tags.of("policy", policy, "route", route);
        this.allowed = new Cell(
                "rate.limiter.allowed",
                "Allowed requests, counted once for each policy that took part.",
                tags,
                others == null ? null : others.allowed);
        this.shadowDenied = new Cell(
                "rate.limiter.shadow.blocked",
                "Requests that a shadow policy would have denied.",
                tags,
                others == null ? null : others.shadowDenied);
        this.nearLimit = new Cell(
                "rate.limiter.near.limit",
                "Allowed requests that left less than a tenth of a limit, by the policy of that limit.",
                tags,
                others == null ? null : others.nearLimit);
        for (DecidedBy by : DecidedBy.values()) {
            blocked.put(
                    by,
                    new Cell(
                            "rate.limiter.blocked",
                            "Denied requests, counted once for each policy that denied them. The label decided_by says who decided.",
                            tags.and("decided_by", lower(by)),
                            others == null ? null : others.blocked.get(by)));
        }
    }

    /** One counter. */
    private final class Cell {
        private final String name;
        private final String description;
        private final Tags tags;
        private final @Nullable Cell others;
        private volatile @Nullable LongAdder counter;
        private boolean isRefused;

        Cell(String name, String description, Tags tags, @Nullable Cell others) {
            this.name = name;
            this.description = description;
            this.tags = tags;
            this.others = others;
        }

        void increment() {
            LongAdder known = counter;
            (known == null ? begun() : known).increment();
        }

        private synchronized LongAdder begun() {
            LongAdder known = counter;
            if (known != null) {
                return known;
            }
            isRefused = others != null && !series.isTaken();
            LongAdder begun;
            if (others != null && isRefused) {
                LongAdder shared = others.counter;
                begun = shared == null ? others.begun() : shared;
            } else {
                begun = new LongAdder();
                series.counter(name, description, tags, begun);
            }
            counter = begun;
            return begun;
        }

        /** Returns what was counted here and not under others. */
        synchronized long own() {
            LongAdder known = counter;
            return known == null || isRefused ? 0 : known.sum();
        }
    }

    String route() {
        return route;
    }

    void add(Outcome outcome, DecidedBy by) {
        switch (outcome) {
            case ALLOWED -> allowed.increment();
            case SHADOW_DENIED -> shadowDenied.increment();
            case DENIED -> Expect.present(blocked.get(by), "by").increment();
        }
    }

    void addNearLimit() {
        nearLimit.increment();
    }

    DecisionTotals counted() {
        long denied = blocked.values().stream().mapToLong(Cell::own).sum();
        return new DecisionTotals(allowed.own(), denied, shadowDenied.own());
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
