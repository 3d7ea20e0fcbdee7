package dev.penstock.redis;

import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.AfterAll;

class RedisEngineContractIT extends EngineContract {
    private static final RedisServer REDIS = RedisServer.start();
    private static final ClientResources RESOURCES = ClientResources.create();

    @AfterAll
    static void stop() {
        RESOURCES.shutdown().awaitUninterruptibly();
        REDIS.close();
    }

    @Override
    protected Engine createEngine(ManualClock clock) {
        REDIS.command("FLUSHALL");
        return RedisEngine.builder(REDIS.uri())
                .resources(RESOURCES)
                .countBy(clock)
                .build();
    }
}
