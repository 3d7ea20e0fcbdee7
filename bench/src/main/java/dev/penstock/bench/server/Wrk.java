package dev.penstock.bench.server;

import dev.penstock.bench.harness.ChildProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs wrk for HTTP/1.1, with a script that uses a different user in each request. */
final class Wrk {
    static final String TOOL = "wrk";
    static final String SCRIPT = "check.lua";

    private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern ANSWERS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern BAD = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern SOCKET_ERRORS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

    private Wrk() {}

    /**
     * Returns the version of the tool on the PATH, which exits with an error status after printing it; empty if there
     * is none.
     */
    static Optional<String> version() {
        return ChildProcess.output("sh", "-c", TOOL + " -v | sed -n '1s/ *Copyright.*//p'")
                .filter(version -> !version.isEmpty());
    }

    static List<String> command(Wire wire, int port, int seconds, Path script) {
        return List.of(
                TOOL,
                "-t1",
                "-c" + ServerLoad.IN_FLIGHT,
                "-d" + seconds + "s",
                "-s",
                script.toString(),
                "http://127.0.0.1:" + port + wire.path(),
                "--",
                new String(wire.body(), StandardCharsets.UTF_8));
    }

    /** Parses the output; empty if it contains no measurements. */
    static Optional<LoadRun> parse(String output) {
        Matcher rate = RATE.matcher(output);
        Matcher answers = ANSWERS.matcher(output);
        if (!rate.find() || !answers.find()) {
            return Optional.empty();
        }
        long bad = sum(BAD.matcher(output));
        return Optional.of(new LoadRun(
                Double.parseDouble(rate.group(1)),
                Long.parseLong(answers.group(1)) - bad,
                bad + sum(SOCKET_ERRORS.matcher(output))));
    }

    private static long sum(Matcher matcher) {
        long sum = 0;
        if (matcher.find()) {
            for (int i = 1; i <= matcher.groupCount(); i++) {
                sum += Long.parseLong(matcher.group(i));
            }
        }
        return sum;
    }
}
