package dev.penstock.server.internal.settings;

import dev.penstock.policy.PolicyError;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.server.SettingError;
import java.util.ArrayList;
import java.util.List;

/** Collects the errors found so far in all sources of settings. Not thread-safe. */
final class Problems {
    private final Findings inFile = new Findings();
    private final List<SettingError> elsewhere = new ArrayList<>();

    /** Returns the errors in the configuration file. */
    Findings inFile() {
        return inFile;
    }

    void add(String place, String problem) {
        elsewhere.add(new SettingError(place, problem, null));
    }

    int count() {
        return inFile.all().size() + elsewhere.size();
    }

    /** Returns a receiver of errors about a text that is not from a file. */
    SettingText.Complaint about(String place, String text) {
        return e -> add(place, (e.isSecret() ? "the given value" : text) + " (expected: " + e.expected() + ")");
    }

    /** Returns all errors, those in the file first, in order of their place. */
    List<SettingError> all() {
        List<SettingError> all = new ArrayList<>();
        for (PolicyError error : inFile.all()) {
            String place = error.line() == 0 ? error.file() : error.file() + ":" + error.line() + ":" + error.column();
            String whole = error.withLine();
            int end = whole.indexOf('\n');
            all.add(new SettingError(
                    error.path().isEmpty() ? place : place + " " + error.path(),
                    error.problem(),
                    end < 0 ? null : whole.substring(end + 1)));
        }
        all.addAll(elsewhere);
        return all;
    }
}
