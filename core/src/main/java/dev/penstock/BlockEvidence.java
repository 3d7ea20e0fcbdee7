package dev.penstock;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.EvidenceBuilder;
import java.util.ArrayList;
import java.util.List;

/** The evidence on an ask's charges and their blocks, and the decision as the caller will see it. Immutable. */
final class BlockEvidence {
    private final Ask ask;
    private final Decision decision;
    private final Evidence seen;

    BlockEvidence(Ask ask, Decision decision) {
        this.ask = ask;
        this.decision = decision;
        this.seen = decision.evidence();
    }

    /**
     * Returns the charges that have a block rule and did not fit, except those that are already blocked, and those that
     * fit as soon as the permits in use give back what they hold: parallel requests that all succeed must not block
     * their key.
     */
    List<Charge> toStrike() {
        List<Charge> exceeded = new ArrayList<>();
        for (int i = 0; i < seen.size(); i++) {
            Charge charge = seen.charge(i);
            if (seen.isExceeded(i)
                    && charge.settings().block() != null
                    && !isBlocked(charge)
                    && !fitsWithoutHolds(charge, seen.snapshot(i), seen.seenAtMicros(i))) {
                exceeded.add(charge);
            }
        }
        return exceeded;
    }

    /** Returns whether only reserved costs are in the way. Slots are never anything but held, so they count. */
    private static boolean fitsWithoutHolds(Charge charge, Snapshot refused, long atMicros) {
        Rule rule = charge.limit().rule();
        if (refused.held() == 0
                || refused.cost() > rule.capacity()
                || charge.limit().unit().equals(Costs.SLOTS)) {
            return false;
        }
        Snapshot spent = new Snapshot(rule, refused.first, refused.second, refused.third, refused.cost());
        return rule.fits(spent, refused.cost(), atMicros);
    }

    private boolean isBlocked(Charge charge) {
        AccountName account = new AccountName(Charge.of(charge.settings().ofBlock(), charge.key(), 0));
        for (int i = 0; i < seen.size(); i++) {
            if (seen.isExceeded(i) && account.equals(new AccountName(seen.charge(i)))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the decision, which reports a block only if it denies the request. */
    Decision decision() {
        return decision.on(evidence().evidence(seen.madeAtMicros(), decision.decidedBy()));
    }

    /** Returns the decision after its denials were counted. It also reports the blocks that they caused. */
    Decision decisionAfter(Decision struck) {
        EvidenceBuilder evidence = evidence();
        boolean guessed = struck.decidedBy() == DecidedBy.FALLBACK && decision.decidedBy() != DecidedBy.FALLBACK;
        Evidence blocks = struck.evidence();
        for (int i = 0; i < blocks.size() && !guessed; i++) {
            Charge charge = blocks.charge(i);
            long at = blocks.seenAtMicros(i);
            if (!charge.limit().rule().fits(blocks.snapshot(i), 0, at)) {
                evidence.add(
                        Charge.of(charge.settings(), charge.key(), 0),
                        new Snapshot(blocks.snapshot(i), 0, 0),
                        true,
                        at);
            }
        }
        return decision.on(evidence.evidence(seen.madeAtMicros(), decision.decidedBy()));
    }

    private EvidenceBuilder evidence() {
        EvidenceBuilder evidence = new EvidenceBuilder(ask);
        for (int i = 0; i < seen.size(); i++) {
            if (seen.isExceeded(i) || !seen.charge(i).settings().isOfBlock()) {
                evidence.add(seen, i);
            }
        }
        return evidence;
    }
}
