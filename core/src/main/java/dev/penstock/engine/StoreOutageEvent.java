package dev.penstock.engine;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import java.time.Duration;
import java.time.Instant;

/** An outage event of the store behind a {@link Guard}. Times are by the guard's clock. */
public sealed interface StoreOutageEvent {
    /**
     * Returns the name of the store's engine. If the store has several shards, the name includes the address of the
     * affected one: {@code redis at host:port}.
     */
    String store();

    /** Returns when the event happened. */
    Instant at();

    /**
     * An outage began: the store failed too often, and the breaker opened. The policies' failure
     * modes decide.
     *
     * @param why the message of its last failure, in one line
     */
    record Entered(String store, Instant at, String why) implements StoreOutageEvent {}

    /**
     * The outage has outlasted the time of a failure mode. Sent once per outage for each mode and {@link
     * FailurePlan.Bound}, with the first request after the time is up.
     *
     * @param mode the mode whose time is up
     * @param then the mode that decides from now on. If it is the same mode, nothing changes, and the event is only an
     *     alarm.
     */
    record TimeUp(String store, Instant at, FailureMode mode, FailureMode then) implements StoreOutageEvent {}

    /**
     * The store answers again, and all decisions ask it.
     *
     * @param spent the length of the outage
     * @param decisions the number of decisions made without the store
     */
    record Left(String store, Instant at, Duration spent, long decisions) implements StoreOutageEvent {}
}
