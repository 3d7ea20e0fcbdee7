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
        boolean allowed,
        long nowMicros,
        Snapshot[] snapshots,
        long exceeded,
        long delayMicros,
        @Nullable Grant grant) {
    Decision decision(Ask ask) {
        Decision.Evidence evidence = new Decision.Evidence(ask, snapshots, exceeded, nowMicros, DecidedBy.STORE);
        return allowed ? new Allowed(evidence, delayMicros, grant) : new Denied(evidence);
    }
}
