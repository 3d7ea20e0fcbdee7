package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.Ask;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Chooses the path of each ask:
 *
 * <ul>
 *   <li>In a Cluster, an id is claimed first ({@link IdempotencyClaims}).
 *   <li>Charges in several slots of a Cluster use {@link SpanningAsk}.
 *   <li>Simple limits, without anything that needs more, use {@link Batcher}.
 *   <li>All other asks use {@link SingleAsks}.
 * </ul>
 *
 * <p>The answer returns through the stages of these calls. Thread-safe.
 */
final class AskRouter {
    /** Maximum time that a spanning ask may hold its cost before it is confirmed. */
    static final Duration SPANNING_HOLD = Duration.ofSeconds(2);

    private final boolean isCluster;
    private final KeyNames names;
    private final IdempotencyClaims ids;
    private final SpanningAsk.Store slots;
    private final SingleAsks singles;
    private final Batcher batcher;
    private final Duration remembered;
    private final Clock clock;

    /**
     * Creates a router.
     *
     * @param remembered how long the answer to an ask with an id is remembered
     * @param clock measures how long callers have waited
     */
    AskRouter(
            boolean isCluster,
            KeyNames names,
            IdempotencyClaims ids,
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

    /** Decides an ask after claiming its id. A denial releases the claim, so that the id can be used again. */
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
