package dev.penstock.server;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when settings cannot be used. Contains all errors from all sources. */
public final class SettingErrors extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<SettingError> errors;

    public SettingErrors(List<SettingError> errors) {
        super(errors.stream().map(SettingError::toString).collect(Collectors.joining("\n")));
        this.errors = List.copyOf(errors);
    }

    public List<SettingError> errors() {
        return errors;
    }
}
