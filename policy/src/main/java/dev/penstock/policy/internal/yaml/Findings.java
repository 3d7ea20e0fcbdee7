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

/** Everything wrong that was found so far, in all files. Not thread-safe. */
public final class Findings {
    /** Of one file; what follows a first mistake is mostly noise. */
    private static final int MOST_OF_A_FILE = 100;

    private final Map<String, List<PolicyError>> byFile = new LinkedHashMap<>();

    /** Lines that may hold a secret, and so are never shown. */
    private final Map<String, Set<Integer>> hidden = new HashMap<>();

    /** From now on the errors of this file, and those of files begun after it later. */
    public void begin(String file) {
        byFile.computeIfAbsent(file, name -> new ArrayList<>());
    }

    /** Something wrong with a file as a whole. */
    public void add(String file, String problem) {
        add(new PolicyError(file, 0, 0, "", problem, null));
    }

    public void add(SourceFile file, Position at, String path, String problem) {
        add(new PolicyError(file.name(), at.line(), at.column(), path, problem, file.line(at.line())));
    }

    /** The line may hold a secret: no error shows it, whatever that is about. */
    void hide(SourceFile file, Position at) {
        hidden.computeIfAbsent(file.name(), name -> new HashSet<>()).add(at.line());
    }

    private void add(PolicyError error) {
        List<PolicyError> errors = byFile.computeIfAbsent(error.file(), name -> new ArrayList<>());
        if (errors.size() < MOST_OF_A_FILE && !errors.contains(error)) {
            errors.add(error);
        }
    }

    /** Whether no more of this file are told. */
    boolean isFull(SourceFile file) {
        return byFile.getOrDefault(file.name(), List.of()).size() >= MOST_OF_A_FILE;
    }

    public boolean isEmpty() {
        return byFile.values().stream().allMatch(List::isEmpty);
    }

    /** All of them: by file, and within a file by place. */
    public List<PolicyError> all() {
        List<PolicyError> all = new ArrayList<>();
        for (List<PolicyError> errors : byFile.values()) {
            errors.stream()
                    .sorted((a, b) -> a.line() != b.line() ? a.line() - b.line() : a.column() - b.column())
                    .forEach(error -> all.add(isHidden(error) ? unseen(error) : error));
        }
        return all;
    }

    /** Also what is no YAML, and therefore could not be read, may be where the key of hashes was written down. */
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
