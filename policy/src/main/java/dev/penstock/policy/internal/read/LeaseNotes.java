package dev.penstock.policy.internal.read;

import dev.penstock.Policy.Consistency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Notes on leased policies for which leasing saves no round trip, so that nobody discovers that from the load of Redis.
 */
final class LeaseNotes {
    private LeaseNotes() {}

    static void add(Collection<PolicyDraft> policies) {
        for (PolicyDraft policy : policies) {
            if (policy.store().consistency() == Consistency.LEASED) {
                add(policy, policies);
            }
        }
    }

    private static void add(PolicyDraft leased, Collection<PolicyDraft> policies) {
        if (leased.candidateOf() != null || leased.mode() == PolicyDraft.Mode.SHADOW) {
            leased.field().note("consistency: leased has no effect in a shadow policy: Redis counts each request");
            return;
        }
        for (LimitDraft limit : leased.limits()) {
            if (limit.word() == AlgorithmWord.LEAKY_BUCKET) {
                limit.field()
                        .note("a leaky_bucket cannot be leased: Redis assigns each turn, so each request takes a round"
                                + " trip");
            }
        }
        List<String> met = new ArrayList<>();
        for (PolicyDraft other : policies) {
            if (other.match() == null && other.candidateOf() == null && needsStore(other)) {
                met.add(other.name());
            }
        }
        if (!met.isEmpty()) {
            String names = met.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(" and "));
            leased.field()
                    .note("leasing saves no round trip: each request is also under " + names
                            + ", which Redis decides. The permits of this policy are still spent from leases");
        }
    }

    /** Returns whether Redis decides one of the policy's limits on each request. */
    private static boolean needsStore(PolicyDraft policy) {
        boolean isLeased =
                policy.store().consistency() == Consistency.LEASED && policy.mode() == PolicyDraft.Mode.ENFORCE;
        return !isLeased && policy.limits().stream().anyMatch(limit -> !limit.local());
    }
}
