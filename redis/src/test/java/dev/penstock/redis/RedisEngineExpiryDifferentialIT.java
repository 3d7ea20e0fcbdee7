package dev.penstock.redis;

import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the scripts with the reference on random traces in which one call settles at most one, two or three expired
 * holds: {@value #TRACES} traces for each number, in every flavor with holds. Separate from {@link
 * RedisEngineDifferentialIT}, so that both run at the same time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineExpiryDifferentialIT {
    private static final int TRACES = 20;

    private final RedisTraces redis = new RedisTraces(RedisServer.start());

    @AfterAll
    void stop() {
        redis.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"HELD", "CHANGING", "CLOCK", "EVERYTHING"})
    void randomTracesEndingFewHoldsPerCall_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        for (int most = 1; most <= 3; most++) {
            redis.runEndingFew("in Redis, ending " + most + " holds a call", flavor, TRACES, most);
        }
    }
}
