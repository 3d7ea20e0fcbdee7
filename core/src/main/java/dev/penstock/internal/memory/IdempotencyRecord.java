package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The decision remembered under a request's id, and the fingerprint that owns the id. Its monitor is held while the
 * request is decided.
 */
final class IdempotencyRecord implements ExpiringMap.Entry {
    private static final long FORGOTTEN = Long.MIN_VALUE;

    private final String requestId;
    private final long rememberMicros;
    private volatile long forgetAtMicros;
    private @Nullable String fingerprint;
    private @Nullable Ask asked;
    private @Nullable Decision decision;

    IdempotencyRecord(String requestId, long nowMicros, long rememberMicros) {
        this.requestId = requestId;
        this.rememberMicros = rememberMicros;
        this.forgetAtMicros = nowMicros + rememberMicros;
    }

    @Override
    public String name() {
        return requestId;
    }

    @Override
    public long forgetAtMicros() {
        return forgetAtMicros;
    }

    @Override
    public boolean isSpare(long nowMicros) {
        return true;
    }

    /**
     * Returns the remembered decision, or decides now if there is none, and remembers an allowed decision.
     *
     * <p>With a fingerprint, the id belongs to the first ask that was allowed, even after its permit has ended, and asks
     * with another fingerprint are denied. Returns null if this record does not apply to the ask: its charges differ
     * from the remembered ones and no fingerprint matches, or the remembered permit has ended and the ask does not have
     * the record's fingerprint.
     */
    synchronized @Nullable Decision decisionFor(Ask ask, Permits permits, long nowMicros, Supplier<Decision> decide) {
        if (forgetAtMicros == FORGOTTEN) {
            return null;
        }
        Decision known = isOver(permits, nowMicros) ? null : decision;
        if (known == null && decision != null && fingerprint == null) {
            forgetAtMicros = FORGOTTEN;
            return null;
        }
        String shown = ask.fingerprint();
        if (shown != null && fingerprint != null && !shown.equals(fingerprint)) {
            return Denied.idTaken(ask, nowMicros);
        }
        if (known == null) {
            return shown == null && fingerprint != null ? null : decideNow(ask, nowMicros, decide);
        }
        if (asked != null && asked.isSameAs(ask)) {
            return known;
        }
        boolean isItsOwn = shown != null && fingerprint != null;
        return isItsOwn && known instanceof Allowed allowed ? allowed.again(ask) : null;
    }

    /** Returns whether the permit of the remembered decision has ended. */
    private boolean isOver(Permits permits, long nowMicros) {
        PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
        return grant != null && !permits.isLive(grant.id(), nowMicros);
    }

    private Decision decideNow(Ask ask, long nowMicros, Supplier<Decision> decide) {
        Decision made = decide.get();
        asked = made.isAllowed() ? ask : null;
        decision = made.isAllowed() ? made : null;
        if (made.isAllowed()) {
            fingerprint = ask.fingerprint();
            forgetAtMicros = nowMicros + rememberMicros;
        } else if (fingerprint == null) { // no ask was ever allowed under this id
            forgetAtMicros = FORGOTTEN;
        }
        return made;
    }

    boolean isForgotten() {
        return forgetAtMicros == FORGOTTEN;
    }
}
