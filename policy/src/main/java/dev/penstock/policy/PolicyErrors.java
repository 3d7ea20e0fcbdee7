package dev.penstock.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when policies cannot be used. Contains all errors of all files, in the order of the files. */
public final class PolicyErrors extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<PolicyError> errors;

    /** Creates the exception. Its message has one line per error. */
    public PolicyErrors(List<PolicyError> errors) {
        super(errors.stream().map(PolicyError::toString).collect(Collectors.joining("\n")));
        this.errors = List.copyOf(errors);
    }

    /** Returns the errors, in the order of the files and lines. */
    public List<PolicyError> errors() {
        return errors;
    }
}
