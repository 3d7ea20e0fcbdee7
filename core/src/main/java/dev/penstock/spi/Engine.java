package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.internal.CheckReturnValue;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides an {@link Ask} atomically: the charges of one request, on any mix of keys and limits, all or nothing.
 *
 * <p>Everything that decides is an engine, and engines compose: a guard, a deny cache and leasing are engines that
 * wrap another engine. Engines are thread-safe, and no call blocks: if the answer needs a round trip, the {@link Reply}
 * arrives later. A denial is a value. A later reply fails with {@link StoreRefused} or {@link NotCharged} if nothing
 * was charged, with {@link ReplicasMissing} if the charge was made but too few replicas acknowledged it, and with any
 * other exception if it is unknown whether the charge was made.
 *
 * <p>Every engine passes {@code EngineContract} of the testkit.
 *
 * <h2>Writing an engine</h2>
 *
 * An engine that wraps another one extends {@link ForwardingEngine}. An engine that keeps state itself keeps one {@link
 * dev.penstock.algorithm.State} per account. An account is a {@link Key} under a {@linkplain
 * dev.penstock.algorithm.Rule#shape shape}. The {@linkplain dev.penstock.Limit#rule rule} of each limit does the
 * arithmetic. To decide an ask, hold a lock on all accounts of its charges and do the following:
 *
 * <ol>
 *   <li>Read the clock once.
 *   <li>If the policies {@linkplain Ask#staticDecision decided} themselves, return {@link StaticDecision#decision}. If
 *       the ask has an {@linkplain Ask#id(IdempotencyKey) id}, look for an earlier answer.
 *   <li>Check the enforced charges first, then the shadow charges, each in the order of the ask. For each, call
 *       {@link dev.penstock.algorithm.Rule#expireHolds} on the account, make a {@link dev.penstock.algorithm.Snapshot}
 *       of it (or, if an earlier charge of the ask is on the same account, of that charge's snapshot), and
 *       {@code advance} the snapshot. Let the sum be the charge's cost plus the cost of the earlier charges on the same
 *       account. The charge fits if the sum is at most the capacity, {@code fits} accepts the sum, and the delay is at
 *       most {@link Ask#maxDelayMicros}. {@link ShadowCharges} says what this means for the request.
 *   <li>For each charge that does not fit, report the {@code frozenRefusal} of its snapshot, before anything is
 *       charged.
 *   <li>If the request is denied or only peeks, store the snapshots whose {@code advance} returned true and nothing
 *       else.
 *   <li>Otherwise make the charges that fit, in the same order. Charges on the same account build on one another's
 *       results. Use {@code hold} for a cost that is held and {@code charge} for any other. Slots are always held.
 *       Other costs are held if the ask has a {@linkplain Ask#hold hold} and the rule {@code canBeHeld}; otherwise the
 *       cost is charged at once and is no part of the permit. Store the results, and report the {@code frozenCopy} of
 *       each. A charge of cost 0 stores no result. A shadow charge that does not fit is not made, but its snapshot is
 *       stored if {@code advance} returned true.
 *   <li>If the ask has a hold or takes slots, issue a permit. Its lifetime is the shortest one among the hold and the
 *       slots that were taken.
 *   <li>Return {@link dev.penstock.Allowed} or {@link dev.penstock.Denied} with an {@link Evidence} of all reports.
 * </ol>
 *
 * <p>To settle or renew a permit, first call {@code expireHolds} on each of its accounts. Keep the result of that even
 * if the permit has expired. Then, for each charge that is still held, {@code advance} the account under the rule of
 * the limit that the permit was issued for, and store it.
 *
 * <p>{@code EngineContract} shows single cases. {@code TraceRunner} of the testkit compares an engine with the
 * reference on random traces, and finds what the contract misses. Run both.
 */
public interface Engine extends AutoCloseable {
    /** Returns the short prefix of the ids of all permits that this engine issues. */
    String name();

    /**
     * Decides all charges of the ask together.
     *
     * <p>A denied ask changes no count. Shadow charges are made only if all enforced charges fit, and each only if it
     * fits itself. Charges on one account add up. Concurrency charges are always held by a permit, which lives as long
     * as the shortest of their times and the ask's hold. If the policies {@linkplain Ask#staticDecision decided}
     * themselves, their decision is the answer.
     */
    @CheckReturnValue
    Reply<Decision> decide(Ask ask);

    /**
     * Returns whether the engine may remember an earlier answer under this ask's id. Charges and changes nothing.
     *
     * <p>Returns false only if {@link #decide} would certainly decide the ask again, as without an id. Returns true if
     * finding out takes more than one short round trip. The default is true.
     */
    default Reply<Boolean> mayRemember(Ask ask) {
        return Reply.now(true);
    }

    /**
     * Ends a permit: slots are freed, and the reserved cost becomes the actual cost.
     *
     * <p>A charge whose hold has expired, or whose account was reset, is left unchanged. If no charge of the permit is
     * left, the answer is {@link Settlement#expired}. A charge of cost 0 holds nothing and can be settled until the
     * permit expires. The answer contains the actual cost of each unit (the largest if several limits count it),
     * without slots.
     *
     * <p>A permit that ended is remembered for at least a minute. During that time, {@code settle} and {@link #renew}
     * return its first answer again. After that, and for ids that were never issued, the answer is {@link
     * Settlement#unknown}.
     *
     * @param permitId the id of the permit
     * @param actual the cost per unit; a unit left out is charged as reserved. Null charges everything as reserved
     */
    Reply<Settlement> settle(String permitId, @Nullable Costs actual);

    /**
     * Extends a permit so that its full time starts again now. After the permit has ended, answers like {@link
     * #settle}.
     */
    Reply<Settlement> renew(String permitId);

    /**
     * Returns whether this engine may have issued a permit with this id, judged by the form of the id alone. Returns at
     * once. If false, {@link #settle} and {@link #renew} do not know the id.
     */
    default boolean mayHaveIssued(String permitId) {
        return permitId.startsWith(name());
    }

    /**
     * Returns the deadline that this engine enforces itself for asks without a timeout, or null if callers must enforce
     * one.
     *
     * <p>An engine that returns a deadline also answers an ask that has a timeout within that timeout, and {@link
     * #settle} and {@link #renew} within the deadline, whatever fails. A {@link dev.penstock.Limiter} sets no timer
     * around such an engine. The deadline does not apply to resets.
     */
    default @Nullable Duration answersWithin() {
        return null;
    }

    /**
     * Starts to report every round trip to the store.
     *
     * @param lateAfter how long a round trip may take before it is reported as late
     * @param observer receives the reports
     * @return false if this engine does not report round trips, so that its replies are the only evidence about the
     *     store
     */
    default boolean observeTrips(Duration lateAfter, TripObserver observer) {
        return false;
    }

    /** Sets every account of the ask to zero, including reserved costs and slots in use. */
    Reply<Completion> reset(Ask ask);

    /**
     * Sets every key of these {@linkplain dev.penstock.spi.Key#counter counters} to zero, including slots in use.
     * Accounts are reset one by one, each at some moment before the reply. For operators: it may scan all accounts.
     */
    Reply<Completion> resetCounters(Set<String> counters);

    /**
     * Returns how the state of this engine is divided into shards that fail independently, or null if it is in one
     * place.
     */
    default @Nullable Sharding sharding() {
        return null;
    }

    /** Returns the fleet of nodes that share this engine's state, or null if nodes learn nothing from one another. */
    default @Nullable Fleet fleet() {
        return null;
    }

    /** Closes only the resources that this engine opened. */
    @Override
    void close();
}
