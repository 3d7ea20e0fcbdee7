package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Algorithm;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TraceFlavour;
import dev.penstock.testkit.TraceRunner;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract and random traces on a Valkey, where one is installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.penstock.testkit.server.RedisServer#hasValkey",
        disabledReason = "valkey-server is neither on the PATH nor named by PENSTOCK_VALKEY")
class RedisEngineOnValkeyTest {
    private static final int TRACES = 20;
    private static final int STEPS = 300;

    private final RedisServer valkey = RedisServer.startValkey();
    private final ClientResources resources = ClientResources.create();
    private int made;

    @AfterAll
    void stop() {
        resources.shutdown().awaitUninterruptibly();
        valkey.close();
    }

    @Test
    void server_isAValkey() {
        assertThat(valkey.command("INFO", "server")).contains("server_name:valkey");
    }

    @Nested
    class Contract extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock clock) {
            valkey.command("FLUSHALL");
            return RedisEngine.at(valkey.uri())
                    .resources(resources)
                    .countBy(clock)
                    .build();
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerIsTheReferences(TraceFlavour flavour) {
        long seed = Long.getLong("penstock.seed", new SplittableRandom().nextLong());
        System.out.println("random traces " + flavour + " in Valkey: seed " + seed);
        TraceRunner runner = new TraceRunner(clock -> RedisEngine.at(valkey.uri())
                .resources(resources)
                .prefix("t" + made++ + "-")
                .countBy(clock)
                .rememberFor(Algorithm.LONGEST)
                .build());
        for (int i = 0; i < TRACES; i++) {
            runner.run(new RandomTrace(seed + i, flavour), STEPS);
            valkey.command("FLUSHALL");
        }
    }
}
