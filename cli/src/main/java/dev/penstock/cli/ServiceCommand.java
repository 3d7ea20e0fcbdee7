package dev.penstock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that talks to a running service. */
@Command(
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The service carried out the command.",
            "1:The service did not answer, or it refused.",
            "2:The command line is invalid."
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

    /** Returns true if the answer is printed as JSON. */
    boolean json() {
        return options.json();
    }
}
