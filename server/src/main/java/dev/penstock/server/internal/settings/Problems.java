package dev.penstock.server.internal.settings;

import dev.penstock.policy.PolicyError;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.server.SettingError;
import java.util.ArrayList;
import java.util.List;

/** Everything wrong that was found so far in the sources of settings. Not thread-safe. */
final class Problems {
    private final Findings inFile = new Findings();
    private final List<SettingError> elsewhere = new ArrayList<>();

    /** Those of the configuration file. */
    Findings inFile() {
        return inFile;
    }

    void add(String place, String problem) {
        elsewhere.add(new SettingError(place, problem, null));
    }

    int count() {
        return inFile.all().size() + elsewhere.size();
    }

    /** Where complaints about a text go that stands in no file. */
    SettingText.Complaint about(String place, String text) {
        return e -> add(place, (e.isSecret() ? "what is given" : text) + " (expected: " + e.expected() + ")");
    }

    /** The file's first, by place. */
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
