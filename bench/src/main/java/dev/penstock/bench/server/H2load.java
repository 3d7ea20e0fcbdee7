package dev.penstock.bench.server;

import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.Latency;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs h2load: HTTP/2 and gRPC as fast as possible, and all three protocols at a fixed rate with the latency of each
 * request.
 */
final class H2load {
    static final String TOOL = "h2load";

    /** Each connection keeps its own pace from its start. With many more, all would send at the same moment. */
    static final int PACED_CONNECTIONS = 16;

    private static final int CONNECTIONS = 8;
    private static final int STREAMS = ServerLoad.IN_FLIGHT / CONNECTIONS;

    private static final Pattern RATE = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
    private static final Pattern ANSWERS =
            Pattern.compile("(\\d+) succeeded, (\\d+) failed, (\\d+) errored, (\\d+) timeout");
    private static final String GOOD = "200";

    private H2load() {}

    /** Returns the version of the tool on the PATH; empty if there is none. */
    static Optional<String> version() {
        return ChildProcess.output(TOOL, "--version");
    }

    static List<String> command(Wire wire, int port, int seconds, Path body) {
        List<String> command = new ArrayList<>(List.of(TOOL, "-c" + CONNECTIONS, "-m" + STREAMS, "-D" + seconds));
        command.addAll(question(wire, port, body));
        return command;
    }

    /** Returns the command for a fixed rate, with a log line per request. */
    static List<String> paced(Wire wire, int port, int seconds, Path body, double perSecond, Path times) {
        List<String> command = new ArrayList<>(List.of(TOOL, "-c" + PACED_CONNECTIONS, "-m" + STREAMS, "-D" + seconds));
        command.add(String.format(Locale.ROOT, "--rps=%.3f", perSecond / PACED_CONNECTIONS));
        command.add("--log-file=" + times);
        command.addAll(question(wire, port, body));
        return command;
    }

    private static List<String> question(Wire wire, int port, Path body) {
        List<String> question = new ArrayList<>();
        if (wire == Wire.HTTP1) {
            question.add("--h1");
        }
        wire.headers().forEach(header -> question.addAll(List.of("-H", header)));
        question.addAll(List.of("-d", body.toString(), "http://127.0.0.1:" + port + wire.path()));
        return question;
    }

    /** Parses the output; empty if it contains no measurements. */
    static Optional<LoadRun> parse(String output) {
        Matcher rate = RATE.matcher(output);
        Matcher answers = ANSWERS.matcher(output);
        if (!rate.find() || !answers.find()) {
            return Optional.empty();
        }
        // Failed requests include those that errored or timed out.
        return Optional.of(new LoadRun(
                Double.parseDouble(rate.group(1)), Long.parseLong(answers.group(1)), Long.parseLong(answers.group(2))));
    }

    /**
     * Parses the lines of the log: the time of the request, its status, and its duration in microseconds. Empty if a
     * line is bad.
     */
    static Optional<Latency> latency(List<String> lines) {
        long[] micros = new long[lines.size()];
        for (int i = 0; i < micros.length; i++) {
            String[] columns = lines.get(i).split("\t", -1);
            if (columns.length < 3 || !columns[1].equals(GOOD)) {
                return Optional.empty();
            }
            micros[i] = Long.parseLong(columns[2]);
        }
        if (micros.length == 0) {
            return Optional.empty();
        }
        Arrays.sort(micros);
        return Optional.of(new Latency(share(micros, 0.5), share(micros, 0.99), share(micros, 0.999)));
    }

    /** Returns the smallest value that this share of all values does not exceed. */
    private static double share(long[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
    }
}
