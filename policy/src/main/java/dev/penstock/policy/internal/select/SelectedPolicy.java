package dev.penstock.policy.internal.select;

import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.spi.Charge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy, ready to be charged.
 *
 * @param role what it is for
 * @param candidateOf the policy that it is to replace; null unless it is a candidate
 */
public record SelectedPolicy(
        String name,
        Match match,
        List<SelectedLimit> limits,
        Role role,
        @Nullable String candidateOf) {
    /** What a policy is for. */
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

    void addCharges(Subject subject, Routes routes, Plans.@Nullable Plan plan, List<Charge> charges) {
        for (int i = 0; i < limits.size(); i++) {
            Charge charge = limits.get(i).charge(subject, match, routes, plan);
            if (charge != null) {
                charges.add(charge);
            }
        }
    }
}
