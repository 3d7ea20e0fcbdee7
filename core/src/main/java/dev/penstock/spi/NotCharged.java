package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/** The failure of a reply if it is certain that nothing was charged. */
public final class NotCharged extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why nothing was charged. */
    public enum Reason {
        /** The ask waited in this process until its time was over, and was not sent: the store is not to blame. */
        OVERDUE,
        /** The ask was not sent, since there is no connection to the store. */
        NO_CONNECTION,
        /** The store answered that it is not able to do its work: it is loading, full, or read-only. */
        REJECTED
    }

    private final Reason reason;

    private NotCharged(Reason reason, String message, @Nullable Throwable cause) {
        super(Expect.text(message, "message"), cause);
        this.reason = reason;
    }

    /** The failure of an ask whose time was over before it could be sent. */
    public static NotCharged overdue() {
        return new NotCharged(Reason.OVERDUE, "waited until its timeout and was not sent", null);
    }

    /** The failure of an ask that there is no connection for. */
    public static NotCharged noConnection(String message) {
        return new NotCharged(Reason.NO_CONNECTION, message, null);
    }

    /** The failure of an ask that the store has rejected. */
    public static NotCharged rejected(Throwable cause) {
        return new NotCharged(Reason.REJECTED, "the store rejects what it is asked: " + cause.getMessage(), cause);
    }

    /** Why nothing was charged; null if something may have been. */
    public static @Nullable Reason reasonOf(@Nullable Throwable failure) {
        NotCharged found = Causes.find(failure, NotCharged.class);
        return found == null ? null : found.reason;
    }
}
