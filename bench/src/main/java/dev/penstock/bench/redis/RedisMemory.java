package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.JavaProcess;
import dev.penstock.bench.harness.MemoryCase;
import dev.penstock.bench.harness.Settings;
import dev.penstock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.util.List;

/**
 * Measures the memory of a user's token bucket in Redis: the MEMORY USAGE of all keys that a contender keeps for it.
 */
record RedisMemory(Scenario scenario, OwnServers own) implements MemoryCase.Measure {
    @Override
    public long liveBytes(String contender, PrintStream log) throws BenchFailure {
        RedisServer server = own.redis();
        server.command("FLUSHALL");
        List<String> arguments = List.of(
                scenario.caseName(), contender, Nodes.of(List.of(server)).toString());
        JavaProcess.run(Probe.class, Settings.JVM_ARGUMENTS, arguments, log);
        List<String> keys = server.command("KEYS", "*").lines().toList();
        if (keys.size() < scenario.users()) {
            throw new BenchFailure("memory: " + keys.size() + " keys in Redis (expected: " + scenario.users()
                    + " or more; see bench/target/bench.log)");
        }
        long bytes = 0;
        for (String key : keys) {
            bytes += Long.parseLong(server.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
        }
        return bytes;
    }
}
