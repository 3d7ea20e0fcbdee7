package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code penstock admin keys}: looks at what was counted for a key, and forgets it. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and resets what was counted for a key.")
final class AdminKeysCommand {
    private AdminKeysCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new AdminKeysCommand())
                .addSubcommand(new AdminKeysShowCommand(surroundings))
                .addSubcommand(new AdminKeysResetCommand(surroundings));
    }
}
