package dev.penstock;

import dev.penstock.internal.Expect;
import java.util.Arrays;
import java.util.List;

/**
 * Selects what a request is charged: the charges of every policy that matches it.
 *
 * <p>Implementations are thread-safe, fast, and change nothing.
 */
@FunctionalInterface
public interface PolicySet {
    /** The request's charges, as an ask that decides; without any where nothing matches. */
    Ask match(Request request);

    /** All of these policies together; each one's name must be its own. */
    static PolicySet of(Policy... policies) {
        List<Policy> all = Arrays.asList(Expect.present(policies, "policies").clone());
        all.forEach(policy -> Expect.present(policy, "policy"));
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                Expect.that(
                        !all.get(i).name().equals(all.get(k).name()),
                        "policies[" + i + "].name",
                        all.get(i).name(),
                        "a name of its own; policies[" + k + "] has it");
            }
        }
        return new PolicyList(all);
    }
}
