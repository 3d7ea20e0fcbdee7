package dev.penstock;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PolicySet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A few policies, checked one after the other. */
final class PolicyList implements PolicySet {
    private final Policy[] policies;

    PolicyList(List<Policy> policies) {
        this.policies = policies.toArray(Policy[]::new);
    }

    @Override
    public Set<String> units() {
        Set<String> units = new TreeSet<>();
        for (Policy policy : policies) {
            policy.addUnits(units);
        }
        return units;
    }

    @Override
    public Ask match(Request request) {
        if (policies.length == 1 && policies[0].hasOneLimit()) {
            Charge only = policies[0].onlyCharge(request);
            return (only == null ? Ask.of() : Ask.of(only)).forRequest(request);
        }
        List<Charge> charges = new ArrayList<>();
        for (Policy policy : policies) {
            policy.addCharges(request, charges);
        }
        return Ask.of(charges).forRequest(request);
    }
}
