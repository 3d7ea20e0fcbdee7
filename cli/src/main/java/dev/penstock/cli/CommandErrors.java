package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports in one line what is wrong with a command line, or why a command failed. */
final class CommandErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Output err;

    CommandErrors(Output err) {
        this.err = err;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        List<String> unmatched = command.getUnmatchedArguments();
        // The missing parameter may be one that was misspelled.
        boolean misspelt = e instanceof MissingParameterException && !unmatched.isEmpty();
        ParameterException cause = misspelt ? new UnmatchedArgumentException(command, unmatched) : e;
        return print(command, problem(cause, command), ExitCode.USAGE);
    }

    /** Rethrows all other exceptions, which are bugs, so that they are shown in full. */
    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (e instanceof UsageError) {
            return print(command, String.valueOf(e.getMessage()), ExitCode.USAGE);
        } else if (e instanceof Failure) {
            return print(command, String.valueOf(e.getMessage()), ExitCode.SOFTWARE);
        }
        throw e;
    }

    private int print(CommandLine command, String problem, int status) {
        err.text(Tone.BAD, command.getCommandSpec().qualifiedName() + ":");
        err.text(" " + problem.lines().findFirst().orElse("")).end();
        return status;
    }

    private static String problem(ParameterException e, CommandLine command) {
        String hint = "try: " + command.getCommandSpec().qualifiedName() + " --help";
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> similar = unmatched.getSuggestions();
            return unmatched.getUnmatched().get(0) + ": " + what(unmatched, command)
                    + (similar.isEmpty() ? " (" + hint + ")" : " (did you mean " + similar.get(0) + "?)");
        } else if (e instanceof MissingParameterException missing) {
            return names(missing.getMissing()) + ": missing (" + hint + ")";
        } else if (e.getArgSpec() != null && e.getArgSpec().completionCandidates() != null) {
            String words = String.join(" or ", e.getArgSpec().completionCandidates());
            return e.getArgSpec().paramLabel() + ": " + e.getValue() + " (expected: " + words + ")";
        } else if (!command.getSubcommands().isEmpty()) {
            return "no command (" + hint + ")";
        }
        return e.getMessage() + " (" + hint + ")";
    }

    private static String what(UnmatchedArgumentException e, CommandLine command) {
        if (e.isUnknownOption()) {
            return "no such option";
        }
        return command.getSubcommands().isEmpty() ? "one argument too many" : "no such command";
    }

    private static String names(List<ArgSpec> missing) {
        return missing.stream()
                .map(arg ->
                        arg instanceof CommandLine.Model.OptionSpec option ? option.longestName() : arg.paramLabel())
                .collect(Collectors.joining(", "));
    }
}
