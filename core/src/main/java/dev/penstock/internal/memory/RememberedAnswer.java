package dev.penstock.internal.memory;

import dev.penstock.Decision;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The decision given under a request's id. Its monitor is held while the request is decided for the first time. */
final class RememberedAnswer implements Remembered.Entry {
    private static final long FORGOTTEN = Long.MIN_VALUE;

    private final String requestId;
    private volatile long forgetAtMicros;
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
    public boolean isSpare() {
        return true;
    }

    /**
     * The decision; made now if there is none yet, and kept if it allows. Null where a denial of the same id has ended
     * this entry meanwhile: ask for the entry again.
     */
    synchronized @Nullable Decision decisionOr(Supplier<Decision> decide) {
        if (forgetAtMicros == FORGOTTEN) {
            return null;
        }
        Decision known = decision;
        if (known != null) {
            return known;
        }
        Decision made = decide.get();
        if (made.isAllowed()) {
            decision = made;
        } else {
            forgetAtMicros = FORGOTTEN;
        }
        return made;
    }
}
