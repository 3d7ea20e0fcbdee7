package dev.penstock.guard;

import dev.penstock.Guard;
import dev.penstock.MemoryEngine;
import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;

class GuardContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return Guard.around(MemoryEngine.builder().clock(clock).build())
                .clock(clock)
                .timer(clock)
                .build();
    }
}
