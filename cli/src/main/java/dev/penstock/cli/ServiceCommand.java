package dev.penstock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that talks to a running service. */
@Command(
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The service did as it was told.",
            "1:It is not there, or it refused.",
            "2:The command line is wrong."
        })
abstract class ServiceCommand extends PenstockCommand {
    @Mixin
    private final AdminOptions options = new AdminOptions();

    ServiceCommand(Surroundings surroundings) {
        super(surroundings);
    }

    AdminClient client() throws UsageError {
        return options.client(surroundings.environment());
    }

    /** Whether the answer is for programs. */
    boolean json() {
        return options.json();
    }
}
