package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The decision given under a request's id, while it holds, and the fingerprint to which the id belongs. Its monitor is held
 * while the request is decided.
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
     * The decision; made now if there is none that holds, and kept if it allows. With a fingerprint the entry belongs to the
     * first ask that was allowed, also when what it granted is over, and denies all others. Null where it does not speak for
     * the ask: it belongs to other charges; or it belongs to no fingerprint, and was denied or what it granted is over.
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

    /** Whether the permit has ended that was granted. */
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
        } else if (fingerprint == null) { // nothing was ever allowed under this id
            forgetAtMicros = FORGOTTEN;
        }
        return made;
    }

    boolean isForgotten() {
        return forgetAtMicros == FORGOTTEN;
    }
}
