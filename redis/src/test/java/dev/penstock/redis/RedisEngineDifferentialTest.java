package dev.penstock.redis;

import dev.penstock.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TraceFlavour;
import dev.penstock.testkit.TraceRunner;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts in a real Redis against the reference, on random traces whose times are sent along: {@value #TRACES} of {@value #STEPS} steps in every flavour. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineDifferentialTest {
    private static final int TRACES = 60;
    private static final int STEPS = 300;

    private final RedisServer redis = RedisServer.start();
    private final ClientResources resources = ClientResources.create();
    private int made;

    @AfterAll
    void stop() {
        resources.shutdown().awaitUninterruptibly();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerIsTheReferences(TraceFlavour flavour) {
        long seed = Long.getLong("penstock.seed", new SplittableRandom().nextLong());
        System.out.println("random traces " + flavour + " in Redis: seed " + seed);
        TraceRunner runner = new TraceRunner(this::engine);
        for (int i = 0; i < TRACES; i++) {
            runner.run(new RandomTrace(seed + i, flavour), STEPS);
            redis.command("FLUSHALL");
        }
    }

    private Engine engine(ManualClock clock) {
        return RedisEngine.at(redis.uri())
                .resources(resources)
                .prefix("t" + made++ + "-")
                .countBy(clock)
                .rememberFor(Algorithm.LONGEST)
                .build();
    }
}
