package dev.penstock.policy.internal.yaml;

import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the errors and notes of all files. Not thread-safe. */
public final class Findings {
    /** The maximum number of errors per file. After a first mistake, most further errors are noise. */
    private static final int MOST_OF_A_FILE = 100;

    private final Map<String, List<PolicyError>> byFile = new LinkedHashMap<>();

    /** The lines that may contain a secret, which are never shown. */
    private final Map<String, Set<Integer>> hidden = new HashMap<>();

    /** Facts that the author probably wants to know. They are not errors. */
    private final List<PolicyError> notes = new ArrayList<>();

    /** Starts a file. Errors are listed in the order in which their files are started. */
    public void begin(String file) {
        byFile.computeIfAbsent(file, name -> new ArrayList<>());
    }

    /** Adds an error that concerns a whole file. */
    public void add(String file, String problem) {
        add(new PolicyError(file, 0, 0, "", problem, null));
    }

    public void add(SourceFile file, Position at, String path, String problem) {
        add(new PolicyError(file.name(), at.line(), at.column(), path, problem, file.line(at.line())));
    }

    /** Adds a note, which does not make the files invalid. */
    void note(SourceFile file, Position at, String path, String text) {
        if (notes.size() < MOST_OF_A_FILE) {
            notes.add(new PolicyError(file.name(), at.line(), at.column(), path, text, file.line(at.line())));
        }
    }

    /** Returns the notes in the order in which they were found. */
    public List<PolicyError> notes() {
        return List.copyOf(notes);
    }

    /** Marks a line that may contain a secret. No error shows it, even one about something else. */
    void hide(SourceFile file, Position at) {
        hidden.computeIfAbsent(file.name(), name -> new HashSet<>()).add(at.line());
    }

    private void add(PolicyError error) {
        List<PolicyError> errors = byFile.computeIfAbsent(error.file(), name -> new ArrayList<>());
        if (errors.size() < MOST_OF_A_FILE && !errors.contains(error)) {
            errors.add(error);
        }
    }

    /** Returns true if no further errors of this file are shown. */
    boolean isFull(SourceFile file) {
        return byFile.getOrDefault(file.name(), List.of()).size() >= MOST_OF_A_FILE;
    }

    public boolean isEmpty() {
        return byFile.values().stream().allMatch(List::isEmpty);
    }

    /** Returns all errors by file, sorted by position within each. */
    public List<PolicyError> all() {
        List<PolicyError> all = new ArrayList<>();
        for (List<PolicyError> errors : byFile.values()) {
            errors.stream()
                    .sorted((a, b) -> a.line() != b.line() ? a.line() - b.line() : a.column() - b.column())
                    .forEach(error -> all.add(isHidden(error) ? unseen(error) : error));
        }
        return all;
    }

    /** Returns true if the line must not be shown. A file with invalid YAML may contain the key of the hashes. */
    private boolean isHidden(PolicyError error) {
        String text = error.text();
        return hidden.getOrDefault(error.file(), Set.of()).contains(error.line())
                || (error.path().isEmpty() && text != null && text.contains("hash_key"));
    }

    private static PolicyError unseen(PolicyError error) {
        return new PolicyError(error.file(), error.line(), error.column(), error.path(), error.problem(), null);
    }

    public void throwIfAny() throws PolicyErrors {
        if (!isEmpty()) {
            throw new PolicyErrors(all());
        }
    }
}
