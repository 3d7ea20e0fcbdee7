package dev.penstock.spi;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.internal.CheckReturnValue;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides an {@link Ask} atomically: the charges of one request, on any keys and limits mixed, all or nothing.
 *
 * <p>Everything that decides is an engine, and engines compose: a guard, a deny cache or a lease is one around another.
 * Engines are thread-safe. None of these calls blocks: where the answer needs a trip, the {@link Reply} comes later.
 * A denial is a value; a later reply fails only when the engine itself failed, and then nothing is known of the charge; or by
 * {@link StoreRefused}, and then nothing was charged.
 *
 * <p>Every engine passes {@code EngineContract} of the testkit.
 *
 * <h2>Writing an engine</h2>
 *
 * An engine that wraps another one extends {@link ForwardingEngine}. An engine that keeps state itself keeps one
 * {@link dev.penstock.algorithm.State} per account. An account is a {@link Key} under a {@linkplain
 * dev.penstock.algorithm.Rule#shape shape}. The engine lets the {@linkplain dev.penstock.Limit#rule rule} of each limit do the arithmetic. To decide an ask, under a lock
 * on all accounts of its charges:
 *
 * <ol>
 *   <li>Read the clock once.
 *   <li>If the policies {@linkplain Ask#staticDecision ruled}, return {@link StaticDecision#decision}. If the ask has an
 *       {@linkplain Ask#id(IdempotencyKey) id}, look for an earlier answer.
 *   <li>Take the enforced charges first, then the shadow ones, each in the order of the ask. For each, call
 *       {@link dev.penstock.algorithm.Rule#expireHolds} on the account, make a {@link dev.penstock.algorithm.Snapshot} of it
 *       (of the previous charge's snapshot if both charge one account) and {@code advance} the snapshot. Let the
 *       sum be its cost plus the cost of the charges before it on the same account. The charge fits if the sum is at most the
 *       capacity, {@code fits} accepts the sum, and the delay is at most {@link Ask#maxDelayMicros}. {@link ShadowCharges} says what follows for the request.
 *   <li>Report each charge that does not fit by {@code frozenRefusal} of its snapshot, before anything is charged.
 *   <li>If the request is denied or only peeks, store the snapshots whose {@code advance} returned true and nothing else.
 *   <li>Otherwise make the charges that fit, in the same order, each on the result of the one before it on the same account:
 *       {@code hold} if it is held, {@code charge} if not. Slots are always held. Other costs are held if the ask has a
 *       {@linkplain Ask#hold hold} and the rule {@code canBeHeld}; if it cannot, the cost is charged at once and is no part of
 *       the permit. Store the results, and report each by {@code frozenCopy}. A charge of cost 0 stores nothing
 *       of its own. A shadow charge that does not fit is not made, but its snapshot is stored if {@code advance} returned true.
 *   <li>If the ask has a hold or takes slots, issue a permit. Its term is the shortest of the hold's and of the slots that were
 *       taken.
 *   <li>Return {@link dev.penstock.Allowed} or {@link dev.penstock.Denied} with an {@link Evidence} of all reports.
 * </ol>
 *
 * To settle or renew a permit, bring each of its accounts to now first: {@code expireHolds}, then {@code advance} under the rule of
 * the limit that the permit was issued for. Store what {@code advance} repaired even if the permit has expired.
 *
 * <p>{@code EngineContract} shows single cases. {@code TraceRunner} of the testkit compares an engine with the reference on random
 * traces, and finds what the contract does not. Run both.
 */
public interface Engine extends AutoCloseable {
    /** The short word that the ids of permits issued here begin with. */
    String name();

    /**
     * Decides all charges of the ask together. A denied ask changes nothing that counts. Shadow charges are made only if all
     * enforced charges fit, and each only if it fits itself. Charges on one account add up. Concurrency charges are always held
     * by a permit, which lives as long as the shortest of their terms and the ask's hold. If the policies {@linkplain
     * Ask#staticDecision ruled}, their decision is the answer.
     */
    @CheckReturnValue
    Reply<Decision> decide(Ask ask);

    /**
     * Returns whether the engine may hold an earlier answer under this ask's id. Returns false only if {@link #decide}
     * would certainly decide the ask anew, as it would without an id. An engine answers true if finding out takes more than
     * one short trip. Charges nothing and changes nothing. The default is true.
     */
    default Reply<Boolean> mayRemember(Ask ask) {
        return Reply.now(true);
    }

    /**
     * Ends a permit: slots are freed, and what was reserved becomes the actual cost.
     *
     * <p>A charge whose hold has expired, or whose account was reset, is left as it is. If no charge of the permit is left, the
     * answer is {@link Settlement#expired}. A charge of cost 0 holds nothing and can be settled until the permit expires. The answer
     * names the actual cost of each unit, the largest if several limits count it, and no slots. A permit that ended is
     * remembered for a minute or more, and answers {@code settle} and {@link #renew} as it did the first time; after that, and
     * for ids that were never issued, the answer is {@link Settlement#unknown}.
     *
     * @param actual the cost per unit; a unit left out is charged as reserved. Null charges all as reserved
     */
    Reply<Settlement> settle(String permitId, @Nullable Costs actual);

    /** Gives a permit its full term again, from now. Once the permit has ended, answers like {@link #settle}. */
    Reply<Settlement> renew(String permitId);

    /**
     * Whether a permit of that id may have been issued here, by the form of the id alone. Answers at once, and where it is
     * false {@link #settle} and {@link #renew} know nothing of the id.
     */
    default boolean mayHaveIssued(String permitId) {
        return permitId.startsWith(name());
    }

    /**
     * The deadline this engine enforces itself for asks without a timeout of their own, or null if callers must enforce
     * one.
     */
    default @Nullable Duration answersWithin() {
        return null;
    }

    /**
     * Reports every trip to the store from now on.
     *
     * @param lateAfter how long a trip may take before it is reported as late
     * @return false if this engine does not report trips: then its replies are all that tells how the store is doing
     */
    default boolean observeTrips(Duration lateAfter, TripObserver observer) {
        return false;
    }

    /** Forgets what was counted in every account that the ask names, and what permits hold there, slots included. */
    Reply<Completion> reset(Ask ask);

    /**
     * Forgets what was counted under every key of these {@linkplain dev.penstock.spi.Key#counter counters}, slots held there included:
     * each account by itself, at some moment before the reply. For operators: it may look at every account there is.
     */
    Reply<Completion> resetCounters(Set<String> counters);

    /** How this engine's state is divided into shards that fail independently; null if it is in one place. */
    default @Nullable Sharding sharding() {
        return null;
    }

    /** What the nodes that share this engine's state learn of one another; null where there is nothing to learn. */
    default @Nullable Fleet fleet() {
        return null;
    }

    /** Gives up what the engine itself opened. */
    @Override
    void close();
}
