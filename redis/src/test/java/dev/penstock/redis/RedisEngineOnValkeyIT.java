package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine contract, random traces and random batches on Valkey, if it is installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.penstock.testkit.server.RedisServer#hasValkey",
        disabledReason = "valkey-server is neither on the PATH nor named by PENSTOCK_VALKEY")
class RedisEngineOnValkeyIT {
    private static final int TRACES = 20;

    private final RedisTraces valkey = new RedisTraces(RedisServer.startValkey());

    @AfterAll
    void stop() {
        valkey.close();
    }

    @Test
    void server_isAValkey() {
        assertThat(valkey.server.command("INFO", "server")).contains("server_name:valkey");
    }

    @Nested
    class Contract extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock clock) {
            valkey.server.command("FLUSHALL");
            return valkey.node().countBy(clock).build();
        }
    }

    @Nested
    class Batches extends PackedCallDifferentialIT {
        @Override
        RedisServer startServer() {
            return RedisServer.startValkey();
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        valkey.run("in Valkey", flavor, TRACES);
    }
}
