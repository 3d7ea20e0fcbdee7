package dev.penstock;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PolicySet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks that a limit counts each unit in which a permit is reserved or settled. A misspelled unit would otherwise be
 * charged as reserved.
 *
 * <p>A unit is known if any limit of the policies counts it, even if that limit does not apply to the request: callers
 * should not need to know the plan of each tenant.
 */
final class CountedUnits {
    private final PolicySet policies;

    CountedUnits(PolicySet policies) {
        this.policies = policies;
    }

    /** Returns the costs if the policies count each unit, or if they do not know their units in advance. */
    Costs expect(Costs costs) {
        Set<String> known = policies.units();
        if (!known.isEmpty()) {
            expect(costs, known);
        }
        return costs;
    }

    /** Returns the costs if the ask or another limit of the policies counts each unit, or if nothing is counted. */
    Costs expect(Costs costs, Ask ask) {
        if (ask.size() == 0 || Expect.present(costs, "costs").isEmpty()) {
            return costs;
        }
        Set<String> known = new TreeSet<>(policies.units());
        for (Charge charge : ask.charges()) {
            known.add(charge.limit().unit());
        }
        expect(costs, known);
        return costs;
    }

    private static void expect(Costs costs, Set<String> known) {
        for (String unit : costs.asMap().keySet()) {
            // every request costs these, whether or not it says so
            boolean isImplied = unit.equals(Costs.REQUESTS) || unit.equals(Costs.SLOTS);
            if (!isImplied && !known.contains(unit)) {
                throw new UncountedUnitException(unit, new TreeSet<>(known));
            }
        }
    }
}
