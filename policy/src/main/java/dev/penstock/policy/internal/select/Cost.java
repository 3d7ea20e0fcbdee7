package dev.penstock.policy.internal.select;

import dev.penstock.Costs;
import dev.penstock.policy.internal.match.Subject;
import java.util.List;

/** The cost of a request in one unit under one limit. */
public final class Cost {
    private static final long NOT_STATED = -1;

    private final String unit;
    private final CostRule[] rules;
    private final long otherwise;
    private final long atMost;

    /**
     * Creates the cost of one unit.
     *
     * @param rules the policy's rules, in any order and for any unit
     * @param otherwise the cost if no rule matches
     * @param atMost the highest cost that a caller can state
     */
    public Cost(String unit, List<CostRule> rules, long otherwise, long atMost) {
        this.unit = unit;
        this.rules = rules.stream()
                .filter(rule -> rule.amounts().containsKey(unit))
                .flatMap(CostRule::byPattern)
                .sorted(CostRule.forUnit(unit))
                .toArray(CostRule[]::new);
        this.otherwise = otherwise;
        this.atMost = atMost;
    }

    long of(Subject subject) {
        Costs stated = subject.request().costs();
        if (!stated.isEmpty()) {
            long amount = stated.amount(unit, NOT_STATED);
            if (amount != NOT_STATED) {
                return Math.min(amount, atMost);
            }
        }
        for (CostRule rule : rules) {
            if (rule.match().holds(subject)) {
                Long amount = rule.amounts().get(unit);
                if (amount != null) {
                    return amount;
                }
            }
        }
        return otherwise;
    }
}
