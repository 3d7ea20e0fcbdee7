package dev.penstock.internal.lease;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.EvidenceBuilder;
import dev.penstock.spi.NotCharged;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The permits that one ask took from leases. The store decides the rest of the ask, if there is one. Immutable.
 *
 * <p>The permits are taken before the rest is decided, so that no limit is ever exceeded. If the rest is denied, they
 * are put back. If a lease has ended by then, they stay spent.
 */
public final class LeasedPart {
    private final Ask ask;

    /** One per charge; null for a charge that the store decides. */
    private final @Nullable Lease[] taken;

    /** True if the store decides the other charges, so the permits may be put back. */
    private final boolean isPart;

    private final long nowMicros;

    private LeasedPart(Ask ask, @Nullable Lease[] taken, boolean isPart, long nowMicros) {
        this.ask = ask;
        this.taken = taken;
        this.isPart = isPart;
        this.nowMicros = nowMicros;
    }

    /**
     * Takes the cost of every charge that can be leased. Returns null and takes nothing if one of them does not fit.
     *
     * @param leases one per charge; null for a charge that cannot be leased
     */
    public static @Nullable LeasedPart take(Ask ask, @Nullable AccountLeases[] leases, long nowMicros) {
        LeasedPart part = new LeasedPart(
                ask, new @Nullable Lease[leases.length], Arrays.asList(leases).contains(null), nowMicros);
        for (int i = 0; i < leases.length; i++) {
            AccountLeases of = leases[i];
            if (of != null) {
                Lease lease = of.take(ask.charge(i).cost(), part.isPart, nowMicros);
                if (lease == null) {
                    part.decided(true);
                    return null;
                }
                part.taken[i] = lease;
            }
        }
        return part;
    }

    private void decided(boolean isPutBack) {
        for (int i = 0; i < taken.length; i++) {
            Lease lease = taken[i];
            if (lease != null && isPutBack) {
                lease.putBack(ask.charge(i).cost());
            }
            if (lease != null && isPart) {
                lease.decided(ask.charge(i).cost());
            }
        }
    }

    /** Passes on the leases that are used up, so that they can be ended. */
    public void spent(Consumer<Lease> end) {
        for (Lease lease : taken) {
            if (lease != null && lease.isSpent()) {
                end.accept(lease);
            }
        }
    }

    /** Returns the decision on an ask whose charges were all taken from leases. */
    public Allowed whole() {
        Snapshot[] seen = new Snapshot[taken.length];
        long madeAtMicros = 0;
        for (int i = seen.length - 1; i >= 0; i--) {
            Lease lease = Expect.present(taken[i], "lease");
            seen[i] = lease.seen();
            madeAtMicros = lease.storeMicros(nowMicros);
        }
        return new Allowed(new Evidence(ask, seen, 0, madeAtMicros, DecidedBy.LEASE), 0, null);
    }

    /** Returns the part of the ask that the store decides. */
    public Ask rest() {
        List<Charge> rest = new ArrayList<>(taken.length);
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] == null) {
                rest.add(ask.charge(i));
            }
        }
        return ask.withCharges(rest);
    }

    /** Returns the decision on the whole ask. If the rest was denied, puts the permits back. */
    public Decision with(Decision rest) {
        decided(!rest.isAllowed());
        Evidence seen = rest.evidence();
        EvidenceBuilder evidence = new EvidenceBuilder(ask);
        boolean isComplete = seen.size() == rest().size(); // otherwise only some charges of the rest were checked
        int next = 0;
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] != null) {
                addLeased(i, evidence);
            } else if (isComplete) {
                evidence.add(seen, next++);
            }
        }
        for (int i = 0; i < seen.size() && !isComplete; i++) {
            evidence.add(seen, i);
        }
        return rest.on(evidence.evidence(seen.madeAtMicros(), rest.decidedBy()));
    }

    /** Puts the permits back if the rest was certainly not charged. Otherwise they stay spent. */
    public void failed(Throwable failure) {
        decided(NotCharged.reasonOf(failure) != null);
    }

    private void addLeased(int i, EvidenceBuilder evidence) {
        Lease lease = taken[i];
        if (lease != null) {
            evidence.addLeased(ask.charge(i), lease.seen(), lease.storeMicros(nowMicros));
        }
    }
}
