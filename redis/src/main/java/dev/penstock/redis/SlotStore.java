package dev.penstock.redis;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Grant;
import dev.penstock.Settlement;
import java.util.concurrent.CompletionStage;

/** Decides and ends the parts of a spanning ask by the engine. Nobody waits for the end of a part. */
record SlotStore(RedisEngine engine) implements SpanningAsk.Store {
    @Override
    public CompletionStage<Seen> decide(Ask part) {
        return engine.decideInSlot(part);
    }

    @Override
    public void settle(Grant grant) {
        engine.settle(grant.id(), null);
    }

    @Override
    public void giveBack(Grant grant, Costs nothing) {
        CompletionStage<Settlement> unused = engine.giveBack(grant, nothing);
    }
}
