package dev.penstock;

import java.time.Duration;
import java.time.Instant;

/** What happened to the store behind a {@link Guard}, by the guard's clock. */
public sealed interface GuardEvent {
    /** The name of the store's engine. */
    String store();

    Instant at();

    /**
     * The store failed too often and is left alone; the failure modes of the policies decide.
     *
     * @param why what its last failure said, in one line
     */
    record Entered(String store, Instant at, String why) implements GuardEvent {}

    /**
     * Shares have stood in for as long as they may; what they decided is decided by this mode from now on. Told once for
     * each {@link LocalBound} that a policy has of its own, too, when a request shows it to be over.
     */
    record LocalTimeUp(String store, Instant at, FailureMode then) implements GuardEvent {}

    /**
     * The store answers again and is asked for everything.
     *
     * @param spent how long it was not
     * @param decisions how many decisions were made without it
     */
    record Left(String store, Instant at, Duration spent, long decisions) implements GuardEvent {}
}
