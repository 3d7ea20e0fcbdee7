package dev.penstock;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.EvidenceBuilder;
import java.util.ArrayList;
import java.util.List;

/** What was seen of an ask's charges and of their blocks, and the decision as its caller is to see it. Immutable. */
final class BlockEvidence {
    private final Ask ask;
    private final Decision decision;
    private final Evidence seen;

    BlockEvidence(Ask ask, Decision decision) {
        this.ask = ask;
        this.decision = decision;
        this.seen = decision.evidence();
    }

    /** The charges with a block that did not fit, unless they are blocked already. */
    List<Charge> toStrike() {
        List<Charge> exceeded = new ArrayList<>();
        for (int i = 0; i < seen.size(); i++) {
            Charge charge = seen.charge(i);
            if (seen.isExceeded(i) && charge.settings().block() != null && !isBlocked(charge)) {
                exceeded.add(charge);
            }
        }
        return exceeded;
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

    /** The decision, which tells of blocks only where they stand in the way. */
    Decision decision() {
        return decision.on(told().evidence(seen.madeAtMicros(), decision.decidedBy()));
    }

    /** The same once denials were counted: it tells of the blocks too that they have brought about. */
    Decision decisionAfter(Decision struck) {
        EvidenceBuilder told = told();
        boolean guessed = struck.decidedBy() == DecidedBy.FALLBACK && decision.decidedBy() != DecidedBy.FALLBACK;
        Evidence blocks = struck.evidence();
        for (int i = 0; i < blocks.size() && !guessed; i++) {
            Charge charge = blocks.charge(i);
            long at = blocks.seenAtMicros(i);
            if (!charge.limit().rule().fits(blocks.snapshot(i), 0, at)) {
                told.add(
                        Charge.of(charge.settings(), charge.key(), 0),
                        new Snapshot(blocks.snapshot(i), 0, 0),
                        true,
                        at);
            }
        }
        return decision.on(told.evidence(seen.madeAtMicros(), decision.decidedBy()));
    }

    private EvidenceBuilder told() {
        EvidenceBuilder told = new EvidenceBuilder(ask);
        for (int i = 0; i < seen.size(); i++) {
            if (seen.isExceeded(i) || !seen.charge(i).settings().isOfBlock()) {
                told.add(seen, i);
            }
        }
        return told;
    }
}
