package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.PolicyError;
import java.util.List;

/** Prints the errors of files as text. */
final class FileErrors {
    private FileErrors() {}

    /** Prints each error with its line and a mark below the position, then the number of errors. */
    static void print(Output err, List<PolicyError> errors) {
        for (PolicyError error : errors) {
            List<String> lines = error.withLine().lines().toList();
            err.text(Tone.NAME, lines.get(0)).end();
            for (int i = 1; i < lines.size(); i++) {
                err.text(i == lines.size() - 1 ? Tone.BAD : Tone.ASIDE, lines.get(i))
                        .end();
            }
        }
        long files = errors.stream().map(PolicyError::file).distinct().count();
        err.text(Tone.BAD, Plural.of(errors.size(), "error") + " in " + Plural.of(files, "file"))
                .end();
    }
}
