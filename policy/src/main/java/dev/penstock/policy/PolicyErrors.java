package dev.penstock.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Policies that cannot be used, with everything that is wrong in all of their files, in the order of the files. */
public final class PolicyErrors extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<PolicyError> errors;

    public PolicyErrors(List<PolicyError> errors) {
        super(errors.stream().map(PolicyError::toString).collect(Collectors.joining("\n")));
        this.errors = List.copyOf(errors);
    }

    public List<PolicyError> errors() {
        return errors;
    }
}
