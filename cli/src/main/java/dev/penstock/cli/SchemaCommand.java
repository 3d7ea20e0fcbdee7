package dev.penstock.cli;

import dev.penstock.policy.Policies;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code penstock schema}: prints the JSON Schema of the policy language. */
@Command(
        name = "schema",
        description = "Prints the JSON Schema of the policy language, with which editors complete and check files.",
        footerHeading = "%nExample:%n",
        footer = {
            "  penstock schema > policies.schema.json",
            "and in the first line of a policy file:",
            "  # yaml-language-server: $schema=policies.schema.json"
        })
final class SchemaCommand extends PenstockCommand {
    SchemaCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        surroundings.out().exact(Policies.schema()).writer().flush();
        return ExitCode.OK;
    }
}
