package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a reply whose ask was never sent to the store: it waited in this process for too long, or there was no
 * connection. Nothing was charged.
 */
public final class NotSent extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why it was not sent. */
    public enum Reason {
        /** It waited in this process until its time was over: the store is not to blame. */
        OVERDUE,
        /** There is no connection to the store. */
        NO_CONNECTION
    }

    private final Reason reason;

    private NotSent(Reason reason, String message) {
        super(Expect.text(message, "message"));
        this.reason = reason;
    }

    /** The failure of an ask whose time was over before it could be sent. */
    public static NotSent overdue() {
        return new NotSent(Reason.OVERDUE, "waited until its timeout and was not sent");
    }

    /** The failure of an ask that there is no connection for. */
    public static NotSent noConnection(String message) {
        return new NotSent(Reason.NO_CONNECTION, message);
    }

    /** Why the ask that failed so was not sent; null if it may have been sent. */
    public static @Nullable Reason reasonOf(@Nullable Throwable failure) {
        NotSent found = Causes.find(failure, NotSent.class);
        return found == null ? null : found.reason;
    }
}
