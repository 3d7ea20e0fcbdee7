package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.Settings;
import java.util.List;

/** The options on the command line. */
record SteadyOptions(boolean isQuick, List<SteadyCase> cases, boolean isWhole, boolean help) {
    /** Parses {@code --quick}, {@code --only NAME} and {@code --help}. */
    static SteadyOptions parse(List<String> arguments) throws BenchUsageError {
        List<SteadyCase> all = SteadyCases.all();
        List<String> names = all.stream().map(SteadyCase::name).toList();
        BenchOptions options = BenchOptions.parse(arguments, names, Settings.CAREFUL);
        List<SteadyCase> chosen =
                all.stream().filter(each -> options.includes(each.name())).toList();
        boolean isQuick = options.settings().equals(Settings.QUICK);
        return new SteadyOptions(isQuick, chosen, options.only().isEmpty() && !isQuick, options.help());
    }

    static String usage() {
        return """
            Usage: penstock bench steady [OPTIONS]

            Starts the service as users do, with default settings and its own Redis, and puts load on it: cold, under
            full load and during faults. Limits are far above the traffic, so every denial is wrong. Prints a table, and
            writes bench/results/steady.json and steady.svg after a full run. bench/README.md explains each case.

            Options:
              --quick       shorter loads and fewer repetitions: about five minutes instead of fifteen
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(
                ", ", SteadyCases.all().stream().map(SteadyCase::name).toList()));
    }
}
