package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code penstock admin}: queries and controls a running service. */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Queries and controls a running service through its admin port.",
        footerHeading = "%nExamples:%n",
        footer = {"  penstock admin status", "  penstock admin keys show --policy api --key alice"})
final class AdminCommand {
    private AdminCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new AdminCommand())
                .addSubcommand(new AdminStatusCommand(surroundings))
                .addSubcommand(new AdminNodesCommand(surroundings))
                .addSubcommand(AdminKeysCommand.commandLine(surroundings))
                .addSubcommand(new AdminTopCommand(surroundings))
                .addSubcommand(new AdminTailCommand(surroundings))
                .addSubcommand(new AdminWatchCommand(surroundings))
                .addSubcommand(new AdminShadowCommand(surroundings))
                .addSubcommand(new AdminPoliciesCommand(surroundings))
                .addSubcommand(new AdminCandidatesCommand(surroundings))
                .addSubcommand(new AdminMissingCommand(surroundings))
                .addSubcommand(new AdminReloadCommand(surroundings))
                .addSubcommand(new AdminAuditCommand(surroundings));
    }
}
