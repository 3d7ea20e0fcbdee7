package dev.penstock.bench.harness;

import java.util.List;
import java.util.Optional;

/**
 * The options on the command line.
 *
 * @param only the single case to run; empty for all
 * @param help true to show only the usage
 */
public record BenchOptions(Settings settings, Optional<String> only, boolean help) {
    /** Parses the arguments of a benchmark that has these cases. {@code --quick} replaces the given settings. */
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
                        throw new BenchUsageError("--only: " + (name.isEmpty() ? "no value" : name) + " (expected: "
                                + String.join(", ", cases) + ")");
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
