package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.Settings;
import java.util.List;

/** What a user asked for on the command line. */
record SteadyOptions(boolean isQuick, List<SteadyCase> cases, boolean isWhole, boolean help) {
    /** Reads {@code --quick}, {@code --only NAME} and {@code --help}. */
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

            Starts the service as users do, with default settings and over a Redis of its own, and asks it cold, under
            full load and through faults. Limits are far above the traffic, so every denial is wrong. Shows a table, and
            writes bench/results/steady.json and steady.svg after a whole run. bench/README.md explains each case.

            Options:
              --quick       shorter loads and fewer repetitions, about five minutes; without it about fifteen
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(
                ", ", SteadyCases.all().stream().map(SteadyCase::name).toList()));
    }
}
