package dev.penstock;

import dev.penstock.internal.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Gathers what was seen of charges, each when it was seen, into the evidence of one decision. Not thread-safe. */
final class SeenCharges {
    private final Ask ask;
    private final List<Charge> charges = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Long> seenAtMicros = new ArrayList<>();
    private long exceeded;

    /** @param ask what was asked for */
    SeenCharges(Ask ask) {
        this.ask = ask;
    }

    void add(Decision.Evidence seen, int i) {
        add(seen.charge(i), seen.snapshot(i), seen.isExceeded(i), seen.seenAtMicros(i));
    }

    void add(Charge charge, Snapshot snapshot, boolean isExceeded, long atMicros) {
        exceeded |= (isExceeded ? 1L : 0L) << charges.size();
        charges.add(charge);
        snapshots.add(snapshot);
        seenAtMicros.add(atMicros);
    }

    Decision.Evidence evidence(long madeAtMicros, DecidedBy decidedBy) {
        long[] times = seenAtMicros.stream().mapToLong(Long::longValue).toArray();
        return new Decision.Evidence(
                ask, ask.about(charges), snapshots.toArray(Snapshot[]::new), exceeded, madeAtMicros, decidedBy, times);
    }
}
