package dev.penstock.bench.harness;

import java.util.List;
import java.util.Optional;

/**
 * What a user asked for on the command line.
 *
 * @param only the one case to run; empty for all
 * @param help whether only the options are to be told
 */
public record BenchOptions(Settings settings, Optional<String> only, boolean help) {
    /** Reads the arguments of a benchmark that has these cases, and these settings unless it is to be quick. */
    public static BenchOptions parse(List<String> arguments, List<String> cases, Settings careful)
            throws BenchUsageError {
        Settings settings = careful;
        Optional<String> only = Optional.empty();
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--help", "-h" -> help = true;
                case "--quick" -> settings = Settings.QUICK;
                case "--only" -> {
                    i++;
                    String name = i < arguments.size() ? arguments.get(i) : "";
                    if (!cases.contains(name)) {
                        throw new BenchUsageError("--only: " + (name.isEmpty() ? "nothing follows" : name)
                                + " (expected: " + String.join(", ", cases) + ")");
                    }
                    only = Optional.of(name);
                }
                default ->
                    throw new BenchUsageError(argument + ": no such option (expected: --quick, --only NAME, --help)");
            }
        }
        return new BenchOptions(settings, only, help);
    }

    public boolean includes(String caseName) {
        return only.isEmpty() || only.get().equals(caseName);
    }
}
