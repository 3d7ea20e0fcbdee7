package dev.penstock.redis;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.TraceRunner;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A server, and random traces on its engines, whose time is sent with each call. Each trace has its own keys, which are
 * deleted after it.
 */
final class RedisTraces implements AutoCloseable {
    private static final int STEPS = 300;

    /** The maximum number of expired holds that one call settles, as in holds.lua. */
    static final int MOST_EXPIRED = 100;

    final RedisServer server;
    final ClientResources resources = ClientResources.create();
    private int made;

    RedisTraces(RedisServer server) {
        this.server = server;
    }

    RedisEngine.Builder node() {
        return RedisEngine.builder(server.uri()).resources(resources);
    }

    void run(String what, TraceFlavor flavor, int traces) {
        run(what, flavor, traces, node -> node.get().build());
    }

    /** @param engines creates an engine of several nodes, all on the same keys and by the same clock */
    void run(String what, TraceFlavor flavor, int traces, Function<Supplier<RedisEngine.Builder>, Engine> engines) {
        run(what, flavor, traces, engines, MOST_EXPIRED);
    }

    /** Runs traces on nodes that settle so few expired holds per call that most traces are affected. */
    void runEndingFew(String what, TraceFlavor flavor, int traces, int mostExpired) {
        UnaryOperator<String> few = text -> {
            String changed = text.replace("MOST_EXPIRED = " + MOST_EXPIRED, "MOST_EXPIRED = " + mostExpired);
            if (text.contains("MOST_EXPIRED") && changed.equals(text)) {
                throw new IllegalStateException("holds.lua: MOST_EXPIRED (expected: " + MOST_EXPIRED + ")");
            }
            return changed;
        };
        run(what, flavor, traces, node -> node.get().edition(few).build(), mostExpired);
    }

    private void run(
            String what,
            TraceFlavor flavor,
            int traces,
            Function<Supplier<RedisEngine.Builder>, Engine> engines,
            int mostExpired) {
        long seed = TestSeed.printed("random traces " + flavor + " " + what);
        TraceRunner runner = new TraceRunner(
                clock -> {
                    String prefix = "t" + made++ + "-";
                    return engines.apply(
                            () -> node().prefix(prefix).countBy(clock).rememberFor(Algorithm.LONGEST));
                },
                mostExpired);
        for (int i = 0; i < traces; i++) {
            runner.run(new RandomTrace(seed + i, flavor), STEPS);
            server.command("FLUSHALL");
        }
    }

    @Override
    public void close() {
        resources.shutdown().awaitUninterruptibly();
        server.close();
    }
}
