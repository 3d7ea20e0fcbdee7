package dev.penstock.cli;

import dev.penstock.server.PenstockServer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Runs the command that the arguments name. */
@Command(
        name = "penstock",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Serves decisions, controls a running service, and checks, explains and converts policies.",
        footerHeading = "%nExample:%n",
        footer = {"  penstock serve --policies policies.yaml", "  penstock validate policies.yaml"})
public final class PenstockMain {
    private PenstockMain() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(ServeCommand.NAME)) {
            PenstockServer.warmUp();
        }
        System.exit(commandLine(Surroundings.ofProcess()).execute(args));
    }

    static CommandLine commandLine(Surroundings surroundings) {
        CommandErrors errors = new CommandErrors(surroundings.err());
        CommandLine line = new CommandLine(new PenstockMain());
        line.addSubcommand(ServeCommand.commandLine(surroundings))
                .addSubcommand(AdminCommand.commandLine(surroundings))
                .addSubcommand(new ValidateCommand(surroundings))
                .addSubcommand(new ExplainCommand(surroundings))
                .addSubcommand(new ConvertCommand(surroundings))
                .addSubcommand(new SchemaCommand(surroundings))
                .addSubcommand(new CompletionCommand(surroundings));
        return line.setOut(surroundings.out().writer())
                .setErr(surroundings.err().writer())
                .setColorScheme(Help.defaultColorScheme(surroundings.out().isColored() ? Ansi.ON : Ansi.OFF))
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }
}
