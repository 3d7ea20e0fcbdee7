package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the store, before it becomes a decision.
 *
 * @param snapshots one for each charge of the ask
 * @param exceeded one bit for each charge that did not fit
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoreAnswer(
        Kind kind,
        long nowMicros,
        Snapshot[] snapshots,
        long exceeded,
        long delayMicros,
        @Nullable PermitHandle permitHandle) {
    enum Kind {
        ALLOWED,
        DENIED,
        /** No account was checked, because the id belongs to another request. */
        ID_TAKEN
    }

    private static final Snapshot[] NOTHING = {};

    static StoreAnswer idTaken(long nowMicros) {
        return new StoreAnswer(Kind.ID_TAKEN, nowMicros, NOTHING, 0, 0, null);
    }

    /** Returns the answer to an ask that was already allowed, with other charges, under the same id. */
    static StoreAnswer unseen(long nowMicros, long delayMicros, @Nullable PermitHandle permitHandle) {
        return new StoreAnswer(Kind.ALLOWED, nowMicros, NOTHING, 0, delayMicros, permitHandle);
    }

    boolean allowed() {
        return kind == Kind.ALLOWED;
    }

    Decision decision(Ask ask) {
        if (kind == Kind.ID_TAKEN) {
            return Denied.idTaken(ask, nowMicros);
        }
        Evidence evidence = new Evidence(ask, snapshots, exceeded, nowMicros, DecidedBy.STORE);
        return allowed() ? new Allowed(evidence, delayMicros, permitHandle) : new Denied(evidence);
    }
}
