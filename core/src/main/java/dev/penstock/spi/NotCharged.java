package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/** A reply fails with this exception if it is certain that nothing was charged. */
public final class NotCharged extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The reason why nothing was charged. */
    public enum Reason {
        /** The ask waited in this process until its timeout and was not sent. The store is not at fault. */
        OVERDUE,
        /** The ask was not sent because there is no connection to the store. */
        NO_CONNECTION,
        /** The store cannot do its work: it is loading, full, or read-only. */
        REJECTED
    }

    private final Reason reason;

    private NotCharged(Reason reason, String message, @Nullable Throwable cause) {
        super(Expect.text(message, "message"), cause);
        this.reason = reason;
    }

    /** Returns the failure of an ask whose timeout elapsed before it could be sent. */
    public static NotCharged overdue() {
        return new NotCharged(Reason.OVERDUE, "the timeout elapsed before the ask could be sent", null);
    }

    /** Returns the failure of an ask without a connection. */
    public static NotCharged noConnection(String message) {
        return new NotCharged(Reason.NO_CONNECTION, message, null);
    }

    /** Returns the failure of an ask that the store rejected. */
    public static NotCharged rejected(Throwable cause) {
        return new NotCharged(Reason.REJECTED, "the store rejected the command: " + cause.getMessage(), cause);
    }

    /** Returns why nothing was charged, or null if something may have been charged. */
    public static @Nullable Reason reasonOf(@Nullable Throwable failure) {
        NotCharged found = Causes.find(failure, NotCharged.class);
        return found == null ? null : found.reason;
    }
}
