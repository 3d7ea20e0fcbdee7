package dev.penstock.policy;

import java.time.Instant;
import java.util.List;

/** Policies that were refused while others are in use: when, and all that is wrong with them. */
public record PolicyFailure(Instant at, List<PolicyError> errors) {
    public PolicyFailure {
        errors = List.copyOf(errors);
    }
}
