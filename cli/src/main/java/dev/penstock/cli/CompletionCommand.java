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

/** {@code penstock completion}: what makes a shell complete the commands, those of the launcher included. */
@Command(
        name = "completion",
        description = "Prints a script that makes the shell complete commands, options and files.",
        footerHeading = "%nExample:%n",
        footer = {"  source <(penstock completion bash)", "  source <(penstock completion zsh)"})
final class CompletionCommand extends PenstockCommand {
    /** One script serves both: it sees where it runs. */
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
                                .completionCandidates(List.of("core", "redis", "policy"))
                                .build()));
        all.addSubcommand("format", CommandSpec.create());
        surroundings.out().exact(AutoComplete.bash("penstock", all)).writer().flush();
        return ExitCode.OK;
    }
}
