package dev.penstock.redis;

import dev.penstock.testkit.TraceFlavour;
import dev.penstock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts in a real Redis against the reference: {@value #TRACES} random traces in every flavour. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineDifferentialIT {
    private static final int TRACES = 60;

    private final RedisTraces redis = new RedisTraces(RedisServer.start());

    @AfterAll
    void stop() {
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerIsTheReferences(TraceFlavour flavour) {
        redis.run("in Redis", flavour, TRACES);
    }
}
