package dev.penstock.testkit;

import dev.penstock.MemoryEngine;
import dev.penstock.spi.Engine;

class MemoryEngineContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return MemoryEngine.builder().clock(clock).build();
    }
}
