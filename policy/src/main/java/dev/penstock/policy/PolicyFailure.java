package dev.penstock.policy;

import java.time.Instant;
import java.util.List;

/** A change of policies that was rejected, with the time and all errors. The previous policies stay in use. */
public record PolicyFailure(Instant at, List<PolicyError> errors) {
    public PolicyFailure {
        errors = List.copyOf(errors);
    }
}
