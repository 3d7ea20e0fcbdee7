package dev.penstock.bench.redis;

import dev.penstock.bench.harness.ThisJvm;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources that this JVM and all nodes of Redis have used so far, and the number of answers.
 *
 * @param answers the answers to callers
 * @param cpuNanos processor time of this JVM
 * @param bytes the bytes allocated by live threads
 * @param storeNanos processor time of Redis
 * @param scripts the scripts that Redis ran
 * @param scriptMicros the time of these scripts, as Redis reports it
 */
record Effort(long answers, long cpuNanos, long bytes, double storeNanos, long scripts, long scriptMicros) {
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+),usec=(\\d+)");
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Reads everything on the thread that receives the last answer of Redis, so that all values are from the same
     * moment.
     */
    static Effort soFar(List<Lettuce> servers, DecisionCounts decisions) {
        CompletionStage<String> all = CompletableFuture.completedStage("");
        for (Lettuce server : servers) {
            all = all.thenCombine(server.commands().info("all"), String::concat);
        }
        return all.thenApply(info -> of(decisions.answers(), ThisJvm.cpuNanos(), ThisJvm.bytes(), info))
                .toCompletableFuture()
                .join();
    }

    /**
     * Parses the report of Redis.
     *
     * @param info the INFO output of one server, or of several concatenated
     */
    static Effort of(long answers, long cpuNanos, long bytes, String info) {
        double storeNanos = 0;
        Matcher cpu = CPU.matcher(info);
        while (cpu.find()) {
            storeNanos += Double.parseDouble(cpu.group(1)) * NANOS_PER_SECOND;
        }
        long calls = 0;
        long micros = 0;
        Matcher scripts = SCRIPTS.matcher(info);
        while (scripts.find()) {
            calls += Long.parseLong(scripts.group(1));
            micros += Long.parseLong(scripts.group(2));
        }
        return new Effort(answers, cpuNanos, bytes, storeNanos, calls, micros);
    }

    Effort since(Effort before) {
        return new Effort(
                answers - before.answers,
                cpuNanos - before.cpuNanos,
                bytes - before.bytes,
                storeNanos - before.storeNanos,
                scripts - before.scripts,
                scriptMicros - before.scriptMicros);
    }
}
