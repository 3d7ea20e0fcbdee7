package dev.penstock.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warns of policies that wait for more replicas than a primary has. Every request to such a policy fails there. */
final class ReplicaWarnings {
    private ReplicaWarnings() {}

    /**
     * Returns one line for each primary that has fewer replicas than a policy needs.
     *
     * @param wanted the required number of replicas by policy
     * @param present the number of replicas by primary
     */
    static List<String> of(Map<String, Integer> wanted, Map<String, Integer> present) {
        List<String> warnings = new ArrayList<>();
        wanted.forEach((policy, replicas) -> present.forEach((primary, count) -> {
            if (count < replicas) {
                warnings.add("policy " + policy + ": replicas: " + replicas + " (expected: at most " + count
                        + ", which redis at " + primary
                        + " has); until it has more, on_store_failure decides requests that this policy would allow");
            }
        }));
        return warnings;
    }
}
