package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Grant;
import dev.penstock.internal.algorithm.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What the store saw and answered, before it becomes a decision.
 *
 * @param snapshots one for each charge of the ask
 * @param exceeded a bit for each charge that did not fit
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Seen(
        Kind kind,
        long nowMicros,
        Snapshot[] snapshots,
        long exceeded,
        long delayMicros,
        @Nullable Grant grant) {
    enum Kind {
        ALLOWED,
        DENIED,
        /** No account was looked at: the id is another request's. */
        ID_TAKEN
    }

    private static final Snapshot[] NOTHING = {};

    static Seen idTaken(long nowMicros) {
        return new Seen(Kind.ID_TAKEN, nowMicros, NOTHING, 0, 0, null);
    }

    /** What was allowed when its charges were others. */
    static Seen unseen(long nowMicros, long delayMicros, @Nullable Grant grant) {
        return new Seen(Kind.ALLOWED, nowMicros, NOTHING, 0, delayMicros, grant);
    }

    boolean allowed() {
        return kind == Kind.ALLOWED;
    }

    Decision decision(Ask ask) {
        if (kind == Kind.ID_TAKEN) {
            return Denied.idTaken(ask, nowMicros);
        }
        Decision.Evidence evidence = new Decision.Evidence(ask, snapshots, exceeded, nowMicros, DecidedBy.STORE);
        return allowed() ? new Allowed(evidence, delayMicros, grant) : new Denied(evidence);
    }
}
