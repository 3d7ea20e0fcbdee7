package dev.penstock;

import dev.penstock.internal.memory.Concluded;

/** Brings together what was seen of an ask's charges in this process and in the store, in the order of the ask. */
final class BothPlaces {
    private BothPlaces() {}

    /**
     * The evidence of a decision in both.
     *
     * @param concluded how the accounts here stood when the store had decided; where it says nothing, as first seen
     */
    static Decision.Evidence evidence(
            Ask ask, Decision.Evidence here, Concluded concluded, Decision.Evidence there, DecidedBy decidedBy) {
        SeenCharges both = new SeenCharges(ask);
        int atHere = 0;
        int atThere = 0;
        boolean allSeen = here.size() + there.size() == ask.size();
        for (int i = 0; i < ask.size(); i++) {
            boolean isHere = ask.charge(i).terms().place() == Terms.Place.PROCESS;
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

    private static void addHere(SeenCharges both, Decision.Evidence here, Concluded concluded, int i) {
        for (Concluded.Seen later : concluded.seen()) {
            if (later.index() == i) {
                both.add(here.charge(i), later.after(), here.isExceeded(i), later.atMicros());
                return;
            }
        }
        both.add(here, i);
    }
}
