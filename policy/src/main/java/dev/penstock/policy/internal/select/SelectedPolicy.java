package dev.penstock.policy.internal.select;

import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.spi.Charge;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy, ready to be charged.
 *
 * @param role the purpose of the policy
 * @param candidateOf the policy that it may replace; null unless it is a candidate
 */
public record SelectedPolicy(
        String name,
        Match match,
        List<SelectedLimit> limits,
        Role role,
        @Nullable String candidateOf) {
    /** The purpose of a policy. */
    public enum Role {
        ENFORCE,
        SHADOW,
        CANDIDATE
    }

    boolean takesPlan() {
        for (SelectedLimit limit : limits) {
            if (limit.takesPlan()) {
                return true;
            }
        }
        return false;
    }

    void addUnits(Set<String> units) {
        for (SelectedLimit limit : limits) {
            for (SelectedLimit.Line line : limit.lines()) {
                if (line != null) {
                    units.add(line.settings().limit().unit());
                }
            }
        }
    }

    void addCharges(Subject subject, Routes routes, Plans.@Nullable Plan plan, List<Charge> charges) {
        for (int i = 0; i < limits.size(); i++) {
            Charge charge = limits.get(i).charge(subject, match, routes, plan);
            if (charge != null) {
                charges.add(charge);
            }
        }
    }
}
