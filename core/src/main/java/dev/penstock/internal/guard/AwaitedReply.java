package dev.penstock.internal.guard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reply of the store that is waited for until its time is up: it comes in time, or fails, which silence is too; what
 * comes after that is too late. Thread-safe: exactly one of the first two is told, and the last only after a silence.
 */
public abstract class AwaitedReply<T> implements BiConsumer<T, @Nullable Throwable> {
    private final AtomicBoolean over = new AtomicBoolean();
    private ReplyDeadlines.@Nullable Expiry expiry;

    /** Before anything can come. */
    final void until(ReplyDeadlines.Expiry end) {
        expiry = end;
    }

    @Override
    public final void accept(@Nullable T answer, @Nullable Throwable failure) {
        boolean first = isFirst();
        if (answer == null) {
            if (first) {
                failed(failure);
            }
        } else if (first) {
            inTime(answer);
        } else {
            tooLate(answer);
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

    /** How much longer to wait for the reply when the time is up; null to give up, which is what most do. */
    protected @Nullable Duration more() {
        return null;
    }

    /** The reply came. */
    protected abstract void inTime(T answer);

    /** The reply failed, or did not come: then there is no failure to tell. */
    protected abstract void failed(@Nullable Throwable failure);

    /** The reply came after all. */
    protected void tooLate(T answer) {}
}
