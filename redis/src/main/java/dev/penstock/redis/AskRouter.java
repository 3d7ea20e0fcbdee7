package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.Ask;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Chooses the path of each ask, by what it needs:
 *
 * <ul>
 *   <li>an id in a Cluster is claimed first ({@link IdempotencyRecords});
 *   <li>charges in several slots of a Cluster: {@link SpanningAsk};
 *   <li>simple limits and nothing else: {@link Batcher};
 *   <li>anything else: {@link SingleAsks}.
 * </ul>
 *
 * <p>The answer comes back by the stages that this returns. Thread-safe.
 */
final class AskRouter {
    /** How long a spanning ask may hold its cost before it is confirmed. */
    static final Duration SPANNING_HOLD = Duration.ofSeconds(2);

    private final boolean isCluster;
    private final KeyNames names;
    private final IdempotencyRecords ids;
    private final SpanningAsk.Store slots;
    private final SingleAsks singles;
    private final Batcher batcher;
    private final Duration remembered;
    private final Clock clock;

    /**
     * @param remembered how long the answer to an ask with an id is remembered
     * @param clock by which callers wait
     */
    AskRouter(
            boolean isCluster,
            KeyNames names,
            IdempotencyRecords ids,
            SpanningAsk.Store slots,
            SingleAsks singles,
            Batcher batcher,
            Duration remembered,
            Clock clock) {
        this.isCluster = isCluster;
        this.names = names;
        this.ids = ids;
        this.slots = slots;
        this.singles = singles;
        this.batcher = batcher;
        this.remembered = remembered;
        this.clock = clock;
    }

    CompletionStage<Decision> decide(Ask ask) {
        return ids.mustBeClaimed(ask) ? decideClaimed(ask) : decideUnclaimed(ask);
    }

    /** A denial gives up the claim: the id may be used again. */
    private CompletionStage<Decision> decideClaimed(Ask ask) {
        return ids.claim(ask)
                .thenCompose(claim -> claim.isOwn()
                        ? decideUnclaimed(ask).thenApply(decision -> {
                            if (!decision.isAllowed()) {
                                ids.giveUpClaim(ask);
                            }
                            return decision;
                        })
                        : CompletableFuture.completedStage(Denied.idTaken(ask, claim.nowMicros())));
    }

    private CompletionStage<Decision> decideUnclaimed(Ask ask) {
        if (isCluster && SpanningAsk.spans(ask, names)) {
            return new SpanningAsk(ask, names, ask.id() == null ? SPANNING_HOLD : remembered, slots).decide();
        }
        BatchedAsk batched = SingleAsks.mustBeReplicated(ask) ? null : BatchedAsk.of(ask, names, clock.micros());
        if (batched == null) {
            return singles.decide(ask);
        }
        return isCluster ? batcher.decideAlone(batched) : batcher.decide(batched);
    }
}
