package dev.penstock.spi;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * A reply fails with this exception if the charge was made, but fewer replicas acknowledged it than
 * its policy requires. The charge is not undone.
 *
 * <p>This is not evidence against the store, which is healthy. Asks that do not wait for replicas are not affected.
 */
public final class ReplicasMissing extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message the number of replicas, and the number expected, in one line
     * @param cause why the replicas could not be counted; null if they were counted
     */
    public ReplicasMissing(String message, @Nullable Throwable cause) {
        super(Expect.text(message, "message"), cause);
    }

    /** Returns this failure if it is one of the causes, or null. */
    public static @Nullable ReplicasMissing in(@Nullable Throwable failure) {
        return Causes.find(failure, ReplicasMissing.class);
    }
}
