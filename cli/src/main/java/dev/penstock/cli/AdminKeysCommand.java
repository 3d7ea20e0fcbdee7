package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code penstock admin keys}: looks at what was counted for a key, forgets it, and blocks the key. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and resets what was counted for a key, and blocks it.")
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
