package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a reply whose charge was made but not confirmed by as many replicas as its policy wants. The charge stands.
 * The store is healthy: this is no evidence against it, and asks that do not wait for replicas are not affected.
 */
public final class ReplicasMissing extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * @param message the number of replicas, and the number expected, in one line
     * @param cause why the replicas could not be counted; null if they were counted
     */
    public ReplicasMissing(String message, @Nullable Throwable cause) {
        super(Expect.text(message, "message"), cause);
    }

    /** The missing replicas that a failure comes down to; null if it is another failure. */
    public static @Nullable ReplicasMissing in(@Nullable Throwable failure) {
        return Causes.find(failure, ReplicasMissing.class);
    }
}
