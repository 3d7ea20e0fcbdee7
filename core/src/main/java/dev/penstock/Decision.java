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
 * <p>Immutable. Remaining, reset and retry are computed when asked for, from a copy of the state that the decision was
 * made on; a decision that nobody looks into costs next to nothing.
 */
public abstract sealed class Decision implements Reply<Decision> permits Allowed, Denied {
    /** The part of the stack that made a decision. */
    public enum DecidedBy {
        /** The place where the state lives: this process for the memory engine, Redis for the Redis engine. */
        STORE,
        /** Permits drawn ahead from the store. */
        LEASE,
        /** A cached denial of the store. */
        DENY_CACHE,
        /** The budget of new keys: see {@link NewKeyBudget}. */
        NEW_KEY_BUDGET,
        /** The policies' failure modes, because the store did not answer. */
        FALLBACK,
        /** A first layer in the process, before the store was asked. */
        FIRST_LAYER,
        /** The policies themselves, without counting: a list, or the default for what nothing matches. */
        POLICY,
        /** This process, without counting, because it is {@linkplain Denied.Reason#OVERLOADED overloaded}. */
        NODE
    }

    /** {@link Evidence}; or the one {@link Charge} of which the numbers below say all, decided by the store on them. */
    private final Object basis;

    /** What was put together of the charge and the numbers; whoever does it twice makes the same of them. */
    private @Nullable Evidence ofNumbers;

    private final long a;
    private final long b;
    private final long c;
    private final long madeAtMicros;

    Decision(Evidence evidence) {
        this.basis = evidence;
        this.a = 0;
        this.b = 0;
        this.c = 0;
        this.madeAtMicros = evidence.madeAtMicros();
    }

    /** The most frequent decision, kept in one small object: of one charge, on nothing but its rule's three numbers. */
    Decision(Charge only, State plain, long madeAtMicros) {
        this.basis = only;
        this.a = plain.first;
        this.b = plain.second;
        this.c = plain.third;
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
        Snapshot[] snapshot = {new Snapshot(only.limit().rule(), a, b, c, only.cost())};
        return new Evidence(Ask.of(only), snapshot, isAllowed() ? 0 : 1, madeAtMicros, DecidedBy.STORE);
    }

    public final boolean isAllowed() {
        return this instanceof Allowed;
    }

    /** What was asked for. */
    public final List<Charge> charges() {
        return evidence().asked().charges();
    }

    /**
     * This decision in the fallback's name, as the answer to an ask of which it looked at a part: {@link #limits} tells
     * what was looked at, and nobody knows for certain when the store will be back, so every wait is an estimate.
     */
    public final Decision inFallbackFor(Ask asked) {
        return on(evidence().of(asked, DecidedBy.FALLBACK));
    }

    /**
     * What was seen, as the answer to charges of which these deny: denied where one of them was exceeded. For who has charges
     * made one by one, and answers for all of them together.
     */
    public final Decision enforcing(Predicate<Charge> denies) {
        Evidence other = evidence().enforcing(denies);
        return other.deniesAny() ? new Denied(other) : new Allowed(other, 0, null);
    }

    /** Returns this decision with other evidence. Meant for engines that wrap another one. */
    public abstract Decision on(Evidence other);

    public final DecidedBy decidedBy() {
        return basis instanceof Evidence evidence ? evidence.decidedBy() : DecidedBy.STORE;
    }

    /** What the policies ruled without counting; null where limits decided. */
    public final @Nullable StaticDecision staticDecision() {
        return basis instanceof Evidence evidence ? evidence.asked().staticDecision() : null;
    }

    /** The version of the policies that were asked for the limits, or that ruled; null where they have none. */
    public final @Nullable PolicyVersion policyVersion() {
        Ask asked = evidence().asked();
        StaticDecision staticDecision = asked.staticDecision();
        PolicyVersion version = staticDecision == null ? null : staticDecision.version();
        for (int i = 0; i < asked.size() && version == null; i++) {
            version = asked.charge(i).settings().version();
        }
        return version;
    }

    /** When the decision was made, by the store's clock. */
    public final Instant madeAt() {
        return Instant.EPOCH.plus(madeAtMicros, ChronoUnit.MICROS);
    }

    /**
     * Every limit that was looked at, in the order of the charges: all that took part, but of a denial by the deny cache,
     * the first layer or a fallback only those that decided it. Empty where no account was looked at.
     */
    public final List<LimitStatus> limits() {
        return evidence().limits();
    }

    /** The limits that would have denied, had they not been only observed. */
    public final List<LimitStatus> observedDenials() {
        return limits().stream()
                .filter(status -> status.isExceeded() && !status.isEnforced())
                .toList();
    }

    /**
     * The limit that matters most: of a denial, the one that takes longest to fit; else the enforced one nearest to
     * exhaustion. Null where no limit took part.
     */
    public abstract @Nullable LimitStatus binding();

    /**
     * The first enforced charge of whose limit less than one part in so many is left; null where there is none, or no limit was
     * looked at. Makes no figures but that.
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

    /** No cost at all, in each unit that was asked for. Settling a permit at this gives everything back. */
    public final Costs nothing() {
        return evidence().asked().nothing();
    }

    /** A guess at when to try again, so long after the decision. */
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
