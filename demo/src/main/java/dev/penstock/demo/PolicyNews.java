package dev.penstock.demo;

import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyWatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports whether edited policies were loaded or rejected. Not thread-safe. */
final class PolicyNews {
    private final PolicyWatch policies;
    private long version;
    private @Nullable PolicyFailure failure;

    PolicyNews(PolicyWatch policies) {
        this.policies = policies;
        this.version = policies.version().number();
    }

    /** Returns what has changed since the last call. */
    List<String> since() {
        PolicyFailure before = failure;
        failure = policies.failure();
        if (failure != null) {
            return failure.equals(before)
                    ? List.of()
                    : failure.errors().stream()
                            .map(PolicyError::toString)
                            .map("policies: rejected: "::concat)
                            .toList();
        }
        long number = policies.version().number();
        if (number == version && before == null) {
            return List.of();
        }
        version = number;
        return List.of("policies: version " + number + " is in use");
    }
}
