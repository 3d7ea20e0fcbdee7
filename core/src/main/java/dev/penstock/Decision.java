package dev.penstock;

import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import dev.penstock.engine.NewKeyBudget;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.Reply;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request: {@link Allowed} or {@link Denied}.
 *
 * <p>Immutable. Remaining permits, reset and retry times are computed on demand from a copy of the state, so a decision
 * that nobody inspects is cheap.
 */
public abstract sealed class Decision implements Reply<Decision> permits Allowed, Denied {
    /** The part of the stack that made a decision. */
    public enum DecidedBy {
        /** The store, which is this process for the memory engine and Redis for the Redis engine. */
        STORE,
        /** A lease: permits that this process has drawn from the store in advance. */
        LEASE,
        /** A cached denial of the store. */
        DENY_CACHE,
        /** The budget of new keys. See {@link NewKeyBudget}. */
        NEW_KEY_BUDGET,
        /** The policies' failure modes, because the store did not answer. */
        FALLBACK,
        /** A {@linkplain PolicyLimit#local() local limit}, before the store was asked. */
        LOCAL_LIMIT,
        /**
         * The policies, without counting: an allow or deny list, the default, a block by an
         * operator, or matching policies without a limit that applies to the request.
         */
        POLICY,
        /** This process, without counting, because it is {@linkplain Denied.Reason#OVERLOADED overloaded}. */
        NODE
    }

    /**
     * The {@link Evidence}, or, for a decision by the store on a single charge, that {@link Charge}.
     * The numbers below are then the state of its account.
     */
    private final Object basis;

    /** Evidence built from the charge and the numbers. Threads that race build equal objects. */
    private @Nullable Evidence ofNumbers;

    private final long first;
    private final long second;
    private final long third;
    private final long madeAtMicros;

    Decision(Evidence evidence) {
        this.basis = evidence;
        this.first = 0;
        this.second = 0;
        this.third = 0;
        this.madeAtMicros = evidence.madeAtMicros();
    }

    /**
     * Creates the most frequent kind of decision in one small object: one charge, decided from the three numbers of its
     * state.
     */
    Decision(Charge only, State plain, long madeAtMicros) {
        this.basis = only;
        this.first = plain.first;
        this.second = plain.second;
        this.third = plain.third;
        this.madeAtMicros = madeAtMicros;
    }

    /** Returns what the engine saw when it decided. Engines use it; applications read {@link #limits}. */
    public final Evidence evidence() {
        if (basis instanceof Evidence evidence) {
            return evidence;
        }
        Evidence known = ofNumbers;
        if (known == null) {
            known = ofNumbers((Charge) basis);
            ofNumbers = known;
        }
        return known;
    }

    private Evidence ofNumbers(Charge only) {
        Snapshot[] snapshot = {new Snapshot(only.limit().rule(), first, second, third, only.cost())};
        return new Evidence(Ask.of(only), snapshot, isAllowed() ? 0 : 1, madeAtMicros, DecidedBy.STORE);
    }

    /** Returns whether the request may go on. */
    public final boolean isAllowed() {
        return this instanceof Allowed;
    }

    /** Returns the charges of the request, whether they were made or not. */
    public final List<Charge> charges() {
        return evidence().asked().charges();
    }

    /**
     * Returns this decision as the fallback answer to a larger ask, of which it decided only a part. {@link #limits}
     * reports only that part. Every retry is an estimate, because nobody knows when the store will be back. For
     * engines.
     */
    public final Decision inFallbackFor(Ask asked) {
        return on(evidence().of(asked, DecidedBy.FALLBACK));
    }

    /**
     * Returns this decision as if only the charges that the predicate accepts could deny. The
     * result is a denial if one of these charges did not fit. For callers that made charges one by
     * one and need one decision for all of them.
     */
    public final Decision enforcing(Predicate<Charge> denies) {
        Evidence other = evidence().enforcing(denies);
        return other.deniesAny() ? new Denied(other) : new Allowed(other, 0, null);
    }

    /** Returns this decision with other evidence. For engines that wrap another one. */
    public abstract Decision on(Evidence other);

    /** Returns the part of the stack that made this decision. */
    public final DecidedBy decidedBy() {
        return basis instanceof Evidence evidence ? evidence.decidedBy() : DecidedBy.STORE;
    }

    /** Returns the decision that the policies made without counting, or null if limits decided. */
    public final @Nullable StaticDecision staticDecision() {
        return basis instanceof Evidence evidence ? evidence.asked().staticDecision() : null;
    }

    /**
     * Returns the version of the policies that made this decision or selected its limits, or null if they have none.
     */
    public final @Nullable PolicyVersion policyVersion() {
        Ask asked = evidence().asked();
        StaticDecision staticDecision = asked.staticDecision();
        PolicyVersion version = staticDecision == null ? null : staticDecision.version();
        for (int i = 0; i < asked.size() && version == null; i++) {
            version = asked.charge(i).settings().version();
        }
        return version;
    }

    /** Returns when the decision was made, by the store's clock. If the store took no part, by this process's clock. */
    public final Instant madeAt() {
        return Instant.EPOCH.plus(madeAtMicros, ChronoUnit.MICROS);
    }

    /**
     * Returns the status of every limit that was checked, in the order of the charges.
     *
     * <p>These are usually all limits of the request. A denial by the deny cache, a local limit or the fallback
     * includes only the limits that decided it. Empty if none was checked.
     */
    public final List<LimitStatus> limits() {
        return evidence().limits();
    }

    /** Returns the shadow limits that would have denied. */
    public final List<LimitStatus> shadowDenials() {
        return limits().stream()
                .filter(status -> status.isExceeded() && !status.isEnforced())
                .toList();
    }

    /**
     * Returns the limit that matters most, or null if there is none. After a denial, it is the limit that denied and
     * has the longest wait. Otherwise, it is the enforced limit nearest to exhaustion.
     */
    public abstract @Nullable LimitStatus binding();

    /**
     * Returns the first enforced charge that left less than {@code 1 / parts} of its limit's capacity, or null if there
     * is none.
     */
    public final @Nullable Charge nearlySpent(int parts) {
        Evidence seen = evidence();
        for (int i = 0; i < seen.size(); i++) {
            Charge charge = seen.charge(i);
            Rule rule = charge.limit().rule();
            if (charge.isEnforced()
                    && rule.remaining(seen.snapshot(i), seen.seenAtMicros(i)) <= (rule.capacity() - 1) / parts) {
                return charge;
            }
        }
        return null;
    }

    /** Returns a cost of 0 in each unit of the request. Settling a permit at this cost gives everything back. */
    public final Costs nothing() {
        return evidence().asked().nothing();
    }

    /** Returns an estimate of when to retry, this long after the decision. */
    final Retry retryAfter(long waitMicros) {
        Duration after = micros(waitMicros);
        return new Retry.Estimate(madeAt().plus(after), after);
    }

    static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    @Override
    public final Decision ifReady() {
        return this;
    }

    @Override
    public final CompletionStage<Decision> whenReady() {
        return CompletableFuture.completedFuture(this);
    }
}
