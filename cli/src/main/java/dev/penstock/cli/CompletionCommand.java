package dev.penstock.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

/**
 * {@code penstock completion}: prints a script with which a shell completes the commands, including those of the
 * launcher.
 */
@Command(
        name = "completion",
        description = "Prints a script that makes the shell complete commands, options and files.",
        footerHeading = "%nExample:%n",
        footer = {"  source <(penstock completion bash)", "  source <(penstock completion zsh)"})
final class CompletionCommand extends PenstockCommand {
    /** The same script works in both shells, because it checks which one it runs in. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "SHELL",
            defaultValue = "bash",
            description = "One of: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private Shell unusedShell = Shell.bash;

    CompletionCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        CommandLine all = PenstockMain.commandLine(surroundings);
        all.addSubcommand(
                "test",
                CommandSpec.create()
                        .addOption(OptionSpec.builder("--quick").build())
                        .addOption(OptionSpec.builder("--seed").type(long.class).build()));
        all.addSubcommand(
                "bench",
                CommandSpec.create()
                        .addPositional(PositionalParamSpec.builder()
                                .type(String.class)
                                .completionCandidates(List.of("core", "redis", "policy", "server", "observe", "steady"))
                                .build()));
        all.addSubcommand(
                "soak",
                CommandSpec.create()
                        .addOption(OptionSpec.builder("--hostile").build())
                        .addOption(
                                OptionSpec.builder("--minutes").type(int.class).build()));
        all.addSubcommand("docs", CommandSpec.create());
        all.addSubcommand("format", CommandSpec.create());
        surroundings.out().exact(AutoComplete.bash("penstock", all)).writer().flush();
        return ExitCode.OK;
    }
}
