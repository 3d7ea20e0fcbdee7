package dev.penstock.engine;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.internal.memory.ReservationOutcome;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.EvidenceBuilder;
import dev.penstock.spi.LimitSettings;

/** Joins the evidence on an ask's charges from this process and from the store, in the order of the ask. */
final class JoinedEvidence {
    private JoinedEvidence() {}

    /**
     * Returns the evidence of a decision that was made in both places.
     *
     * @param concluded the local accounts after the store had decided; accounts that it leaves out are reported as
     *     first seen
     */
    static Evidence evidence(
            Ask ask, Evidence here, ReservationOutcome concluded, Evidence there, DecidedBy decidedBy) {
        EvidenceBuilder both = new EvidenceBuilder(ask);
        int atHere = 0;
        int atThere = 0;
        boolean allSeen = here.size() + there.size() == ask.size();
        for (int i = 0; i < ask.size(); i++) {
            boolean isHere = ask.charge(i).settings().place() == LimitSettings.Place.LOCAL;
            if (isHere && atHere < here.size()) {
                addHere(both, here, concluded, atHere++);
            } else if (!isHere && allSeen) {
                both.add(there, atThere++);
            }
        }
        while (atThere < there.size()) {
            both.add(there, atThere++); // the store reported only some of its charges, which come last
        }
        return both.evidence(there.madeAtMicros(), decidedBy);
    }

    private static void addHere(EvidenceBuilder both, Evidence here, ReservationOutcome concluded, int i) {
        for (ReservationOutcome.AccountState later : concluded.seen()) {
            if (later.index() == i) {
                both.add(here.charge(i), later.after(), here.isExceeded(i), later.atMicros());
                return;
            }
        }
        both.add(here, i);
    }
}
