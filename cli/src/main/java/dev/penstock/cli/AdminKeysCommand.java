package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code penstock admin keys}: shows, resets, blocks and unblocks keys. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, resets, blocks and unblocks keys.")
final class AdminKeysCommand {
    private AdminKeysCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new AdminKeysCommand())
                .addSubcommand(new AdminKeysShowCommand(surroundings))
                .addSubcommand(new AdminKeysResetCommand(surroundings))
                .addSubcommand(new AdminKeysBlockCommand(surroundings))
                .addSubcommand(new AdminKeysUnblockCommand(surroundings))
                .addSubcommand(new AdminKeysBlockedCommand(surroundings));
    }
}
