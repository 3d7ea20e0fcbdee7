package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Decision;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The decision given under a request's id. Its monitor is held while the request is decided for the first time. */
final class RememberedAnswer implements Remembered.Entry {
    private static final long FORGOTTEN = Long.MIN_VALUE;

    private final String requestId;
    private volatile long forgetAtMicros;
    private @Nullable Ask asked;
    private @Nullable Decision decision;

    RememberedAnswer(String requestId, long forgetAtMicros) {
        this.requestId = requestId;
        this.forgetAtMicros = forgetAtMicros;
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
     * The decision; made now if there is none yet, and kept if it allows. Null where this entry does not speak for the
     * ask: a denial has ended it, or it belongs to other charges, or what it granted is over.
     */
    synchronized @Nullable Decision decisionFor(Ask ask, Permits permits, long nowMicros, Supplier<Decision> decide) {
        if (forgetAtMicros == FORGOTTEN) {
            return null;
        }
        Decision known = decision;
        if (known == null) {
            Decision made = decide.get();
            if (made.isAllowed()) {
                asked = ask;
                decision = made;
            } else {
                forgetAtMicros = FORGOTTEN;
            }
            return made;
        }
        if (known instanceof Allowed allowed
                && allowed.grant() != null
                && !permits.isLive(allowed.grant().id(), nowMicros)) {
            forgetAtMicros = FORGOTTEN;
            return null;
        }
        return asked != null && asked.isSameAs(ask) ? known : null;
    }

    boolean isForgotten() {
        return forgetAtMicros == FORGOTTEN;
    }
}
