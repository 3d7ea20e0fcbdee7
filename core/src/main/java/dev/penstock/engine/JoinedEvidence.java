package dev.penstock.engine;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.internal.memory.ReservationOutcome;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.EvidenceBuilder;
import dev.penstock.spi.LimitSettings;

/** Brings together what was seen of an ask's charges in this process and in the store, in the order of the ask. */
final class JoinedEvidence {
    private JoinedEvidence() {}

    /**
     * The evidence of a decision in both.
     *
     * @param concluded how the accounts here stood when the store had decided; where it says nothing, as first seen
     */
    static Evidence evidence(
            Ask ask, Evidence here, ReservationOutcome concluded, Evidence there, DecidedBy decidedBy) {
        EvidenceBuilder both = new EvidenceBuilder(ask);
        int atHere = 0;
        int atThere = 0;
        boolean allSeen = here.size() + there.size() == ask.size();
        for (int i = 0; i < ask.size(); i++) {
            boolean isHere = ask.charge(i).settings().place() == LimitSettings.Place.PROCESS;
            if (isHere && atHere < here.size()) {
                addHere(both, here, concluded, atHere++);
            } else if (!isHere && allSeen) {
                both.add(there, atThere++);
            }
        }
        while (atThere < there.size()) {
            both.add(there, atThere++); // the store told only of some: they come last
        }
        return both.evidence(there.madeAtMicros(), decidedBy);
    }

    private static void addHere(EvidenceBuilder both, Evidence here, ReservationOutcome concluded, int i) {
        for (ReservationOutcome.Seen later : concluded.seen()) {
            if (later.index() == i) {
                both.add(here.charge(i), later.after(), here.isExceeded(i), later.atMicros());
                return;
            }
        }
        both.add(here, i);
    }
}
