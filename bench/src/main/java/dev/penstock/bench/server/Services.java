package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.LineProcess;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The services of a run and the files that they need, created when first needed. Not thread-safe. */
public final class Services implements AutoCloseable {
    /** A service in memory with all metrics and logs, followed by one without. */
    public static final String OBSERVED = "penstock_observed";

    public static final String BARE = "penstock_bare";

    /** So large that no user reaches it, and so slow to refill that no user's account is evicted meanwhile. */
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: users, match: { kind: check }, limits: [ { key: [user], token_bucket: 1000/d, burst: 1000000 } ] }
            """;

    private static final List<String> FILES =
            List.of("policies.yaml", "json", "message", "body", "times", PenstockService.LOG, Wrk.SCRIPT);

    private @Nullable RedisServer redis;
    private @Nullable Path directory;

    /** Starts a contender in a separate JVM. One with Redis finds it empty. */
    LineProcess start(String contender) throws BenchFailure {
        Path files = directory();
        if (contender.equals(ServerBench.NOOP)) {
            return start(
                    contender,
                    files.resolve("json").toString(),
                    files.resolve("message").toString());
        }
        String policies = files.resolve("policies.yaml").toString();
        if (!contender.equals(ServerBench.REDIS)) {
            return start(contender, policies);
        }
        redis().command("FLUSHALL");
        return start(contender, policies, redis().uri());
    }

    private static LineProcess start(String... arguments) throws BenchFailure {
        return LineProcess.start(
                ServiceNode.class,
                Settings.JVM_ARGUMENTS,
                List.of(arguments),
                SourceTree.find().benchLog());
    }

    RedisServer redis() {
        RedisServer started = redis;
        if (started == null) {
            started = RedisServer.start();
            redis = started;
        }
        return started;
    }

    /** Returns the directory with the script, the policies, and the answers of a real service. */
    Path directory() throws BenchFailure {
        Path made = directory;
        if (made != null) {
            return made;
        }
        try (InputStream script = Services.class.getResourceAsStream(Wrk.SCRIPT)) {
            if (script == null) {
                throw new IllegalStateException(Wrk.SCRIPT + ": missing (expected: in the jar)");
            }
            made = Files.createTempDirectory("penstock-bench-");
            directory = made;
            Files.copy(script, made.resolve(Wrk.SCRIPT));
            Path policies = Files.writeString(made.resolve("policies.yaml"), POLICIES);
            try (LineProcess penstock = start(ServerBench.MEMORY, policies.toString())) {
                RealAnswers answers = RealAnswers.of(Integer.parseInt(penstock.first()));
                Files.write(made.resolve("json"), answers.json().array());
                Files.write(made.resolve("message"), answers.message().toByteArray());
            }
            return made;
        } catch (IOException e) {
            throw new BenchFailure("the files of the services could not be written", e);
        }
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
        Path made = directory;
        if (made != null) {
            FILES.forEach(name -> made.resolve(name).toFile().delete());
            boolean unused = made.toFile().delete();
        }
    }
}
