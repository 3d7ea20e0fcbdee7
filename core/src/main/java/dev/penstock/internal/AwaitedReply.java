package dev.penstock.internal;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles a reply of the store: {@link #inTime} if it arrives before the wait ends, {@link #failed} if it fails or does
 * not arrive, and {@link #tooLate} if it arrives after that. Thread-safe: exactly one of the first two is called, and
 * the last only after the wait has ended without a reply.
 */
public abstract class AwaitedReply<T> implements BiConsumer<T, @Nullable Throwable> {
    private static final System.Logger LOG = System.getLogger(AwaitedReply.class.getName());

    private final AtomicBoolean over = new AtomicBoolean();
    private ReplyDeadlines.@Nullable Expiry expiry;

    /** Sets the end of the wait. Must be called before a reply can arrive. */
    final void until(ReplyDeadlines.Expiry end) {
        expiry = end;
    }

    @Override
    public final void accept(@Nullable T answer, @Nullable Throwable failure) {
        boolean first = isFirst();
        try {
            if (answer == null) {
                if (first) {
                    failed(failure);
                }
            } else if (first) {
                inTime(answer);
            } else {
                tooLate(answer);
            }
        } catch (Throwable e) {
            LOG.log(Level.WARNING, "handling a reply of the store failed", e);
            if (first) {
                broken(e);
            }
        }
    }

    final void timeUp() {
        accept(null, null);
    }

    private boolean isFirst() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        if (expiry != null) {
            expiry.cancel();
        }
        return true;
    }

    /** Returns how much longer to wait for the reply when the time is up, or null to give up, which is the default. */
    protected @Nullable Duration more() {
        return null;
    }

    /** Called when the reply arrived in time. */
    protected abstract void inTime(T answer);

    /** Called when the reply failed. The failure is null if no reply arrived in time. */
    protected abstract void failed(@Nullable Throwable failure);

    /** Called when {@link #inTime} or {@link #failed} threw. Must answer a caller that has no answer yet. */
    protected void broken(Throwable failure) {}

    /** Called when the reply arrived after the wait had ended. */
    protected void tooLate(T answer) {}
}
