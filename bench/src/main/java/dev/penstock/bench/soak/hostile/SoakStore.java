package dev.penstock.bench.soak.hostile;

import dev.penstock.bench.harness.ChildProcess;
import dev.penstock.bench.harness.Machine;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The Redis of a hostile soak, which records slow commands. Thread-safe. */
final class SoakStore implements AutoCloseable {
    /** Redis records commands that take at least this long. */
    static final long SLOW_MILLIS = 50;

    private static final double MEGABYTE = 1 << 20;

    /** Redis reports four fields per event: its name, the time of the last one, its latency, and the highest latency. */
    private static final int LINES_PER_EVENT = 4;

    private static final int HIGHEST = 3;

    private final double stolenBefore = Machine.stolenSeconds();

    private final RedisServer redis = RedisServer.start(
            "--latency-monitor-threshold", Long.toString(SLOW_MILLIS), "--maxmemory-policy", "noeviction");

    /**
     * Gives Redis priority over all other processes, if the system permits. On a small machine, a Redis that waits for
     * processors behind services, attackers and clients says nothing about Redis on its own machine.
     */
    boolean prefer() {
        String pid = Long.toString((long) field(redis.command("INFO", "server"), "process_id"));
        return ChildProcess.output("chrt", "--all-tasks", "--rr", "--pid", "1", pid)
                .isPresent();
    }

    String uri() {
        return redis.uri();
    }

    StoreSample sample() {
        String info = redis.command("INFO");
        return new StoreSample(
                field(info, "used_memory") / MEGABYTE,
                Long.parseLong(redis.command("DBSIZE")),
                field(info, "used_cpu_sys") + field(info, "used_cpu_user"),
                starvedSeconds((long) field(info, "process_id")),
                Machine.stolenSeconds() - stolenBefore);
    }

    /** Returns the second field of the scheduler's statistics: the time that a process was ready to run but did not. */
    private static double starvedSeconds(long pid) {
        try {
            String[] figures =
                    Files.readString(Path.of("/proc/" + pid + "/schedstat")).split(" ", -1);
            return Long.parseLong(figures[1]) / 1e9;
        } catch (IOException e) {
            return 0;
        }
    }

    private static double field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /** The duration of the longest command so far; 0 if none took as long as {@link #SLOW_MILLIS}. */
    long longestCommandMillis() {
        return longest(redis.command("LATENCY", "LATEST").lines().toList());
    }

    static long longest(List<String> latest) {
        long longest = 0;
        for (int i = 0; i + HIGHEST < latest.size(); i += LINES_PER_EVENT) {
            if (latest.get(i).endsWith("command")) { // "command" and "fast-command", but not Redis's internal cycles
                longest = Math.max(longest, Long.parseLong(latest.get(i + HIGHEST)));
            }
        }
        return longest;
    }

    @Override
    public void close() {
        redis.close();
    }
}
