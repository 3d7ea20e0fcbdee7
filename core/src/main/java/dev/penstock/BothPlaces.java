package dev.penstock;

import dev.penstock.internal.algorithm.Snapshot;
import dev.penstock.internal.memory.Concluded;
import java.util.ArrayList;
import java.util.List;

/** Brings together what was seen of an ask's charges in this process and in the store, in the order of the ask. */
final class BothPlaces {
    private final Ask ask;
    private final List<Charge> charges = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Long> seenAtMicros = new ArrayList<>();
    private long exceeded;

    private BothPlaces(Ask ask) {
        this.ask = ask;
    }

    /**
     * The evidence of a decision in both.
     *
     * @param concluded how the accounts here stood when the store had decided; where it says nothing, as first seen
     */
    static Decision.Evidence evidence(
            Ask ask, Decision.Evidence here, Concluded concluded, Decision.Evidence there, DecidedBy decidedBy) {
        BothPlaces both = new BothPlaces(ask);
        int atHere = 0;
        int atThere = 0;
        boolean allSeen = here.size() + there.size() == ask.size();
        for (int i = 0; i < ask.size(); i++) {
            boolean isHere = ask.charge(i).terms().place() == Terms.Place.PROCESS;
            if (isHere && atHere < here.size()) {
                both.addHere(here, concluded, atHere++);
            } else if (!isHere && allSeen) {
                both.add(there, atThere++);
            }
        }
        while (atThere < there.size()) {
            both.add(there, atThere++); // the store told only of some: they come last
        }
        return both.evidence(there.madeAtMicros(), decidedBy);
    }

    private void addHere(Decision.Evidence here, Concluded concluded, int i) {
        for (Concluded.Seen later : concluded.seen()) {
            if (later.index() == i) {
                add(here.charge(i), later.after(), here.isExceeded(i), later.atMicros());
                return;
            }
        }
        add(here, i);
    }

    private void add(Decision.Evidence seen, int i) {
        add(seen.charge(i), seen.snapshot(i), seen.isExceeded(i), seen.seenAtMicros(i));
    }

    private void add(Charge charge, Snapshot snapshot, boolean isExceeded, long atMicros) {
        exceeded |= (isExceeded ? 1L : 0L) << charges.size();
        charges.add(charge);
        snapshots.add(snapshot);
        seenAtMicros.add(atMicros);
    }

    private Decision.Evidence evidence(long madeAtMicros, DecidedBy decidedBy) {
        long[] times = seenAtMicros.stream().mapToLong(Long::longValue).toArray();
        return new Decision.Evidence(
                ask, ask.about(charges), snapshots.toArray(Snapshot[]::new), exceeded, madeAtMicros, decidedBy, times);
    }
}
