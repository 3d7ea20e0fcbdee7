package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.JavaProcess;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Wanted;
import dev.penstock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The case of what a user's token bucket takes in Redis: all keys that a contender keeps for it, by MEMORY USAGE. */
final class RedisMemory {
    static final Scenario SCENARIO = Scenario.MEMORY;
    static final List<String> CONTENDERS =
            List.of(Deciders.PENSTOCK, Deciders.BUCKET4J, Deciders.REDISSON, Deciders.SPRING, Deciders.PLAIN);

    private RedisMemory() {}

    static List<MemoryPerKey> run(RedisServer server, Progress progress, PrintStream log) throws BenchFailure {
        List<MemoryPerKey> all = new ArrayList<>();
        for (String contender : CONTENDERS) {
            progress.begin(SCENARIO.caseName(), contender);
            server.command("FLUSHALL");
            JavaProcess.run(
                    Probe.class, Settings.JVM_ARGUMENTS, List.of(SCENARIO.caseName(), contender, server.uri()), log);
            MemoryPerKey memory = new MemoryPerKey(contender, SCENARIO.users(), bytesOfAllKeys(server));
            progress.done(Math.round(memory.bytesPerKey()) + " bytes for each of " + memory.keys() + " users");
            all.add(memory);
        }
        return all;
    }

    private static long bytesOfAllKeys(RedisServer server) throws BenchFailure {
        List<String> keys = server.command("KEYS", "*").lines().toList();
        if (keys.size() < SCENARIO.users()) {
            throw new BenchFailure("memory: " + keys.size() + " keys in Redis (expected: " + SCENARIO.users()
                    + " or more; see bench/target/bench.log)");
        }
        long bytes = 0;
        for (String key : keys) {
            bytes += Long.parseLong(server.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
        }
        return bytes;
    }

    static Ratio ratio(List<MemoryPerKey> memory) {
        double ours = bytesPerKey(memory, Deciders.PENSTOCK);
        double peer = bytesPerKey(memory, Deciders.BUCKET4J);
        return new Ratio(
                "bucket4j_redis_bytes_per_key_vs_ours",
                Wanted.atLeast(2),
                List.of(peer / ours),
                OptionalDouble.empty());
    }

    private static double bytesPerKey(List<MemoryPerKey> memory, String contender) {
        return memory.stream()
                .filter(each -> each.contender().equals(contender))
                .mapToDouble(MemoryPerKey::bytesPerKey)
                .findFirst()
                .orElseThrow();
    }
}
