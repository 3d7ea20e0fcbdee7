package dev.penstock.engine;

import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;

class MemoryEngineContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return MemoryEngine.builder().clock(clock).build();
    }
}
