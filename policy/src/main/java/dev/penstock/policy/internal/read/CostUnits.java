package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.algorithm.Concurrency;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks that the units of a policy's costs match the units of its limits. */
final class CostUnits {
    private CostUnits() {}

    static void check(PolicyDraft policy) {
        Set<String> counted =
                policy.limits().stream().map(LimitDraft::unit).collect(Collectors.toCollection(TreeSet::new));
        if (counted.isEmpty()) {
            return; // no limit could be read
        }
        for (CostReader.Rule rule : policy.costs()) {
            if (!rule.at().isHeard()) {
                return;
            }
            check(rule.amounts(), counted);
            checkMost(rule, policy.maxCosts());
            Long slots = rule.amounts().byUnit().get(Costs.SLOTS);
            if (slots != null && slots > Concurrency.MOST_PER_REQUEST) {
                rule.at()
                        .report(slots + " slots (expected: at most " + Concurrency.MOST_PER_REQUEST
                                + ", the maximum for one request)");
            }
        }
        check(policy.maxCosts(), counted);
    }

    /** Checks that the costs of rules do not exceed the highest cost that callers can state. */
    private static void checkMost(CostReader.Rule rule, CostReader.Amounts most) {
        rule.amounts().byUnit().forEach((unit, amount) -> {
            Long bound = most.byUnit().get(unit);
            if (bound != null && amount > bound) {
                rule.at().report(amount + " " + unit + " (expected: at most " + bound + ", the policy's max_cost)");
            }
        });
    }

    private static void check(CostReader.Amounts amounts, Set<String> counted) {
        for (String unit : amounts.byUnit().keySet()) {
            if (counted.contains(unit)) {
                continue;
            }
            String expected = "a unit that a limit of the policy counts: " + Texts.listed(counted)
                    + Texts.didYouMean(unit, counted);
            CostReader.Place place = amounts.places().get(unit);
            if (place != null) {
                place.refuse(expected);
            }
        }
    }
}
