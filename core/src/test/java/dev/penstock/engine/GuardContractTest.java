package dev.penstock.engine;

import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;

class GuardContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return Guard.builder(MemoryEngine.builder().clock(clock).build())
                .clock(clock)
                .scheduler(clock)
                .build();
    }
}
