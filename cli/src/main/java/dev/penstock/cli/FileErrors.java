package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.PolicyError;
import java.util.List;

/** What is wrong in files, each with its line, to people. */
final class FileErrors {
    private FileErrors() {}

    /** Each with the line that it stands in, and a mark below the place; then how many there are. */
    static void tell(Output err, List<PolicyError> errors) {
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
