package dev.penstock.redis;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.util.concurrent.CompletionStage;

/** Decides the parts of a spanning ask, and ends their holds. No caller waits for the end of a hold. */
record SlotStore(SingleAsks asks, PermitStore permits) implements SpanningAsk.Store {
    @Override
    public CompletionStage<StoreAnswer> decide(Ask part) {
        return asks.answer(part);
    }

    @Override
    public void settle(PermitHandle grant) {
        CompletionStage<Settlement> unused = permits.settle(grant.id(), null);
    }

    @Override
    public void giveBack(PermitHandle grant, Costs nothing) {
        CompletionStage<Settlement> unused = permits.giveBack(grant.id(), nothing);
    }
}
