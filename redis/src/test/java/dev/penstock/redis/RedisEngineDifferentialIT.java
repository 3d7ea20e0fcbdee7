package dev.penstock.redis;

import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the scripts in a real Redis with the reference: {@value #TRACES} random traces in every flavor. */
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
    void randomTraces_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        redis.run("in Redis", flavor, TRACES);
    }
}
