package dev.penstock.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warns of policies that wait for more replicas than a primary has: every request to such a policy fails there. */
final class ReplicaWarnings {
    private ReplicaWarnings() {}

    /**
     * One line for each policy and primary that do not go together.
     *
     * @param wanted the number of replicas by policy
     * @param present the number of replicas by primary
     */
    static List<String> of(Map<String, Integer> wanted, Map<String, Integer> present) {
        List<String> warnings = new ArrayList<>();
        wanted.forEach((policy, replicas) -> present.forEach((primary, count) -> {
            if (count < replicas) {
                warnings.add("policy " + policy + ": replicas: " + replicas + " (expected: at most " + count
                        + ", which redis at " + primary
                        + " has); until it has more, on_store_failure decides what the policy would allow");
            }
        }));
        return warnings;
    }
}
