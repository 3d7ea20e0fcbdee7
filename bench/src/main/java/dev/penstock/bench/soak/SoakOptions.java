package dev.penstock.bench.soak;

import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.soak.hostile.HostileSoak;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options on the command line.
 *
 * @param length how long the load lasts
 * @param perSecond the requests per second, for both services together
 * @param isHostile true for attackers instead of faults
 * @param isRecorded true to replace the committed results
 * @param help true to show only the usage
 */
record SoakOptions(Duration length, int perSecond, boolean isHostile, boolean isRecorded, boolean help) {
    static final String USAGE = """
            Usage: penstock soak --minutes N [OPTIONS]
                   penstock soak --hostile [--minutes N] [OPTIONS]

            Puts a bounded load on two services with one Redis, while policies change, the store fails in every way and
            keys come and go. Then reports whether heap, threads and descriptors stayed flat. Prints a table, and writes
            bench/target/soak.json and soak.svg. The exit status is 1 if they did not, or if a request got an error.

            With --hostile, two services with default settings serve honest clients during attacks: floods, unread
            answers, malformed requests, fresh keys, holds, forged ids and all others that Penstock defends against.
            Traffic stays on the loopback address. Writes bench/target/soak-hostile.json and soak-hostile.svg. The exit
            status is 1 if an honest client got an error or a wrong denial, if a node fell back, or if memory, Redis or
            the shutdown broke a bound.

            Options:
              --hostile     attackers instead of faults
              --minutes N   the duration, 1 to 10080; the first tenth is for warming up; default 5 with --hostile
              --record      write the results to bench/results, and so replace the committed ones
              --rate N      requests per second, 1 to 100000; default 200, or 300 with --hostile
              --help        show this text
            """;

    private static final int MOST_MINUTES = 10_080;
    private static final int MOST_PER_SECOND = 100_000;
    private static final int USUAL_PER_SECOND = 200;

    static SoakOptions parse(List<String> arguments) throws BenchUsageError {
        int minutes = 0;
        int perSecond = 0;
        boolean isHostile = false;
        boolean isRecorded = false;
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--help", "-h" -> help = true;
                case "--hostile" -> isHostile = true;
                case "--record" -> isRecorded = true;
                case "--minutes" -> minutes = number(arguments, i++, MOST_MINUTES);
                case "--rate" -> perSecond = number(arguments, i++, MOST_PER_SECOND);
                default ->
                    throw new BenchUsageError(arguments.get(i)
                            + ": no such option (expected: --hostile, --minutes N, --rate N, --record, --help)");
            }
        }
        if (isHostile) {
            minutes = minutes == 0 ? HostileSoak.MINUTES : minutes;
            perSecond = perSecond == 0 ? HostileSoak.PER_SECOND : perSecond;
        }
        if (minutes == 0 && !help) {
            throw new BenchUsageError("--minutes: nothing (expected: 1 to " + MOST_MINUTES + ")");
        }
        return new SoakOptions(
                Duration.ofMinutes(minutes),
                perSecond == 0 ? USUAL_PER_SECOND : perSecond,
                isHostile,
                isRecorded,
                help);
    }

    /** Returns the file to write a result to. */
    Path file(SourceTree tree, String name) {
        return isRecorded ? tree.result(name) : tree.scratch(name);
    }

    private static int number(List<String> arguments, int flag, int most) throws BenchUsageError {
        String text = flag + 1 < arguments.size() ? arguments.get(flag + 1) : "no value";
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw new BenchUsageError(arguments.get(flag) + ": " + text + " (expected: 1 to " + most + ")");
    }
}
