package dev.penstock.policy.internal.select;

import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.RoutePattern;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The costs of matching requests, by unit. */
public record CostRule(Match match, Map<String, Long> amounts) {
    /** Orders rules by precedence: the most specific route, then the most conditions, then the highest cost. */
    static Comparator<CostRule> forUnit(String unit) {
        return Comparator.comparing(CostRule::route, Comparator.nullsLast(RoutePattern::compareSpecificity))
                .thenComparing(rule -> -rule.match().conditions().size())
                .thenComparing(rule -> -rule.amounts().getOrDefault(unit, 0L));
    }

    /** Splits the rule into rules with at most one pattern each, because its patterns may differ in specificity. */
    Stream<CostRule> byPattern() {
        return match.routes().size() < 2
                ? Stream.of(this)
                : match.routes().stream().map(pattern -> new CostRule(match.onlyOn(pattern), amounts));
    }

    private @Nullable RoutePattern route() {
        return match.routes().isEmpty() ? null : match.routes().get(0);
    }

    public boolean isForAll() {
        return match.conditions().isEmpty();
    }
}
