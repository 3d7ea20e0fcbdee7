package dev.penstock.engine;

import dev.penstock.spi.Engine;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;

class NewKeyBudgetContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return NewKeyBudget.builder(MemoryEngine.builder().clock(clock).build())
                .clock(clock)
                .build();
    }
}
