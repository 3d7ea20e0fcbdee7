package dev.penstock.engine;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import java.time.Duration;
import java.time.Instant;

/** What happened to the store behind a {@link Guard}, by the guard's clock. */
public sealed interface StoreOutageEvent {
    /** The name of the store's engine; if it has several shards, also where the one in question is: {@code redis at host:port}. */
    String store();

    Instant at();

    /**
     * The store failed too often and is left alone; the failure modes of the policies decide.
     *
     * @param why what its last failure said, in one line
     */
    record Entered(String store, Instant at, String why) implements StoreOutageEvent {}

    /**
     * The outage has outlasted the time of a failure mode. Sent once per outage for each mode and
     * {@link FailurePlan.Bound}, with the first request that finds the time to be up.
     *
     * @param mode the mode whose time is up
     * @param then the mode that decides from now on. If it is the same mode, nothing changes: the event is an alarm.
     */
    record TimeUp(String store, Instant at, FailureMode mode, FailureMode then) implements StoreOutageEvent {}

    /**
     * The store answers again and is asked for everything.
     *
     * @param spent how long it was not
     * @param decisions how many decisions were made without it
     */
    record Left(String store, Instant at, Duration spent, long decisions) implements StoreOutageEvent {}
}
