package dev.penstock.policy.internal.select;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.match.Condition;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.MatchIndex;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.match.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The route patterns of an API. In a key, the route is the matching pattern. */
public final class Routes {
    /** Replaces every path that no pattern matches. */
    static final String OTHER = "other";

    private final RoutePattern[] patterns;
    private final MatchIndex index;

    public Routes(List<RoutePattern> patterns) {
        this.patterns = patterns.stream().sorted().distinct().toArray(RoutePattern[]::new);
        this.index = new MatchIndex(List.of(this.patterns).stream()
                .map(pattern -> new Match(List.of(new Condition.OnRoute(List.of(pattern)))))
                .toList());
    }

    /**
     * Returns the most specific pattern of the path, from these and from the policy's own; null if the request has no
     * route.
     */
    @Nullable
    String of(Subject subject, Match own) {
        if (subject.value(AttributeNames.ROUTE) == null) {
            return null;
        }
        RoutePattern best = own.route(subject);
        if (patterns.length > 0) {
            int[] first = {Integer.MAX_VALUE};
            index.find(subject, number -> first[0] = Math.min(first[0], number));
            RoutePattern known = first[0] == Integer.MAX_VALUE ? null : patterns[first[0]];
            best = best == null || (known != null && known.compareTo(best) < 0) ? known : best;
        }
        return best == null ? OTHER : best.toString();
    }
}
