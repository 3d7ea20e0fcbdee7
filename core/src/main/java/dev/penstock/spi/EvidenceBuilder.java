package dev.penstock.spi;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Gathers what was seen of charges, each when it was seen, into the evidence of one decision. Not thread-safe. */
public final class EvidenceBuilder {
    private final Ask ask;
    private final List<Charge> charges = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Long> seenAtMicros = new ArrayList<>();
    private long exceeded;

    /** @param ask what was asked for */
    public EvidenceBuilder(Ask ask) {
        this.ask = ask;
    }

    public void add(Evidence seen, int i) {
        add(seen.charge(i), seen.snapshot(i), seen.isExceeded(i), seen.seenAtMicros(i));
    }

    public void add(Charge charge, Snapshot snapshot, boolean isExceeded, long atMicros) {
        exceeded |= (isExceeded ? 1L : 0L) << charges.size();
        charges.add(charge);
        snapshots.add(snapshot);
        seenAtMicros.add(atMicros);
    }

    public Evidence evidence(long madeAtMicros, DecidedBy decidedBy) {
        long[] times = seenAtMicros.stream().mapToLong(Long::longValue).toArray();
        return new Evidence(
                ask,
                ask.withCharges(charges),
                snapshots.toArray(Snapshot[]::new),
                exceeded,
                madeAtMicros,
                decidedBy,
                times);
    }
}
