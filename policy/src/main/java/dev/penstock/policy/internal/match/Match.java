package dev.penstock.policy.internal.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Matches the requests that satisfy all of a list of conditions. Immutable. */
public final class Match {
    /** Matches every request. */
    public static final Match EVERYTHING = new Match(List.of());

    private final Condition[] conditions;
    private final Condition.@Nullable OnRoute routes;

    public Match(List<Condition> conditions) {
        List<Condition> all = new ArrayList<>();
        conditions.forEach(condition -> flatten(condition, all));
        all.sort(Comparator.comparing(Condition::attribute));
        this.conditions = all.toArray(Condition[]::new);
        this.routes = all.stream()
                .filter(Condition.OnRoute.class::isInstance)
                .map(Condition.OnRoute.class::cast)
                .findFirst()
                .orElse(null);
    }

    private static void flatten(Condition condition, List<Condition> into) {
        if (condition instanceof Condition.All all) {
            all.conditions().forEach(each -> flatten(each, into));
        } else {
            into.add(condition);
        }
    }

    public boolean holds(Subject subject) {
        for (Condition condition : conditions) {
            if (!condition.holds(subject)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first condition that does not hold; null if all do. */
    public @Nullable Condition firstFailing(Subject subject) {
        for (Condition condition : conditions) {
            if (!condition.holds(subject)) {
                return condition;
            }
        }
        return null;
    }

    public List<Condition> conditions() {
        return List.of(conditions);
    }

    /** Returns the route patterns, one of which must match; empty if there is no condition on the route. */
    public List<RoutePattern> routes() {
        return routes == null ? List.of() : routes.patterns();
    }

    /** Returns a copy with one of the patterns instead of all. */
    public Match onlyOn(RoutePattern pattern) {
        List<Condition> others = new ArrayList<>();
        for (Condition condition : conditions) {
            others.add(condition.equals(routes) ? new Condition.OnRoute(List.of(pattern)) : condition);
        }
        return new Match(others);
    }

    /** Returns the most specific route pattern that matches. */
    public @Nullable RoutePattern route(Subject subject) {
        return routes == null ? null : routes.mostSpecific(subject);
    }
}
