package dev.penstock.spi;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Combines snapshots of charges, each from its own time, into the evidence of one decision. Not thread-safe. */
public final class EvidenceBuilder {
    private final Ask ask;
    private final List<Charge> charges = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<Long> seenAtMicros = new ArrayList<>();
    private long exceeded;
    private long leased;

    /**
     * Creates a builder for the evidence on one ask.
     *
     * @param ask the whole ask
     */
    public EvidenceBuilder(Ask ask) {
        this.ask = ask;
    }

    /** Adds one charge of other evidence. */
    public void add(Evidence seen, int i) {
        leased |= (seen.isLeased(i) ? 1L : 0L) << charges.size();
        add(seen.charge(i), seen.snapshot(i), seen.isExceeded(i), seen.seenAtMicros(i));
    }

    /** Adds the snapshot of one charge. */
    public void add(Charge charge, Snapshot snapshot, boolean isExceeded, long atMicros) {
        exceeded |= (isExceeded ? 1L : 0L) << charges.size();
        charges.add(charge);
        snapshots.add(snapshot);
        seenAtMicros.add(atMicros);
    }

    /**
     * Adds a charge that was made from a lease.
     *
     * @param whenDrawn the account when the lease was drawn
     * @param nowMicros the store's time now
     */
    public void addLeased(Charge charge, Snapshot whenDrawn, long nowMicros) {
        leased |= 1L << charges.size();
        add(charge, whenDrawn, false, nowMicros);
    }

    /** Returns the combined evidence. */
    public Evidence evidence(long madeAtMicros, DecidedBy decidedBy) {
        long[] times = seenAtMicros.stream().mapToLong(Long::longValue).toArray();
        return new Evidence(
                ask,
                ask.withCharges(charges),
                snapshots.toArray(Snapshot[]::new),
                exceeded,
                leased,
                madeAtMicros,
                decidedBy,
                times);
    }
}
