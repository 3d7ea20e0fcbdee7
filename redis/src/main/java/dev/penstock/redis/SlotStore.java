package dev.penstock.redis;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.util.concurrent.CompletionStage;

/** Decides and ends the parts of a spanning ask by the engine. Nobody waits for the end of a part. */
record SlotStore(RedisEngine engine) implements SpanningAsk.Store {
    @Override
    public CompletionStage<StoreAnswer> decide(Ask part) {
        return engine.decideInSlot(part);
    }

    @Override
    public void settle(PermitHandle grant) {
        engine.settle(grant.id(), null);
    }

    @Override
    public void giveBack(PermitHandle grant, Costs nothing) {
        CompletionStage<Settlement> unused = engine.giveBack(grant, nothing);
    }
}
