package dev.penstock;

import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import dev.penstock.internal.algorithm.State;
import dev.penstock.spi.Reply;
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
    /** What an engine saw: a snapshot per charge, which of them did not fit (a bit each), when, and who decided. */
    public static final class Evidence {
        private static final Snapshot[] NOTHING_SEEN = {};

        /** What was asked for, looked at or not. */
        private final Ask asked;

        /** What was looked at: of each of its charges there is a snapshot, or of none. */
        private final Ask ask;

        private final Snapshot[] snapshots;
        private final long exceeded;
        private final long madeAtMicros;
        private final DecidedBy decidedBy;

        /** When each was looked at, by the clock of its place, where not all were at once. */
        private final long @Nullable [] seenAtMicros;

        /** Worked out when first asked for; whoever does it twice works out the same. */
        private @Nullable List<LimitStatus> limits;

        public Evidence(Ask ask, Snapshot[] snapshots, long exceeded, long madeAtMicros, DecidedBy decidedBy) {
            this(ask, ask, snapshots, exceeded, madeAtMicros, decidedBy, null);
        }

        Evidence(
                Ask asked,
                Ask ask,
                Snapshot[] snapshots,
                long exceeded,
                long madeAtMicros,
                DecidedBy decidedBy,
                long @Nullable [] seenAtMicros) {
            this.asked = asked;
            this.ask = ask;
            this.snapshots = snapshots;
            this.exceeded = exceeded;
            this.madeAtMicros = madeAtMicros;
            this.decidedBy = decidedBy;
            this.seenAtMicros = seenAtMicros;
        }

        /** Evidence of a decision that was made without looking at any account. */
        public static Evidence none(Ask ask, long madeAtMicros, DecidedBy decidedBy) {
            return new Evidence(ask, NOTHING_SEEN, 0, madeAtMicros, decidedBy);
        }

        /** The same of a decision in another's place. */
        static Evidence none(Decision instead, long madeAtMicros) {
            return none(instead.evidence().asked, madeAtMicros, instead.decidedBy());
        }

        /** The same of another ask, of which this one was a part, and of another's making. */
        Evidence of(Ask wider, DecidedBy other) {
            return new Evidence(wider, ask, snapshots, exceeded, madeAtMicros, other, seenAtMicros);
        }

        /** How many charges were looked at. */
        int size() {
            return snapshots.length;
        }

        Charge charge(int i) {
            return ask.charge(i);
        }

        Snapshot snapshot(int i) {
            return snapshots[i];
        }

        boolean isExceeded(int i) {
            return (exceeded >>> i & 1) != 0;
        }

        long seenAtMicros(int i) {
            return seenAtMicros == null ? madeAtMicros : seenAtMicros[i];
        }

        long madeAtMicros() {
            return madeAtMicros;
        }

        List<LimitStatus> limits() {
            List<LimitStatus> known = limits;
            if (known == null) {
                LimitStatus[] all = new LimitStatus[snapshots.length];
                for (int i = 0; i < all.length; i++) {
                    all[i] = status(this, i);
                }
                known = List.of(all); // may be published without care
                limits = known;
            }
            return known;
        }
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
        this.madeAtMicros = evidence.madeAtMicros;
    }

    /** The most frequent decision, kept in one small object: of one charge, on nothing but its rule's three numbers. */
    Decision(Charge only, State plain, long madeAtMicros) {
        this.basis = only;
        this.a = plain.a;
        this.b = plain.b;
        this.c = plain.c;
        this.madeAtMicros = madeAtMicros;
    }

    final Evidence evidence() {
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
        return evidence().asked.charges();
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
        Evidence seen = evidence();
        Evidence other = new Evidence(
                enforced(seen.asked, denies),
                enforced(seen.ask, denies),
                seen.snapshots,
                seen.exceeded,
                seen.madeAtMicros,
                seen.decidedBy,
                seen.seenAtMicros);
        for (int i = 0; i < other.size(); i++) {
            if (other.isExceeded(i) && other.charge(i).isEnforced()) {
                return new Denied(other);
            }
        }
        return new Allowed(other, 0, null);
    }

    private static Ask enforced(Ask ask, Predicate<Charge> denies) {
        return ask.about(ask.charges().stream()
                .map(charge -> charge.on(charge.terms().effect(denies.test(charge) ? Effect.DENY : Effect.OBSERVE)))
                .toList());
    }

    /** The same decision on other evidence. */
    abstract Decision on(Evidence other);

    public final DecidedBy decidedBy() {
        return basis instanceof Evidence evidence ? evidence.decidedBy : DecidedBy.STORE;
    }

    /** What the policies ruled without counting; null where limits decided. */
    public final @Nullable Ruling ruling() {
        return basis instanceof Evidence evidence ? evidence.asked.ruling() : null;
    }

    /** The version of the policies that were asked for the limits, or that ruled; null where they have none. */
    public final @Nullable PolicyVersion policyVersion() {
        Ask asked = evidence().asked;
        Ruling ruling = asked.ruling();
        PolicyVersion version = ruling == null ? null : ruling.version();
        for (int i = 0; i < asked.size() && version == null; i++) {
            version = asked.charge(i).terms().version();
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
        for (int i = 0; i < seen.snapshots.length; i++) {
            Charge charge = seen.ask.charge(i);
            Rule rule = charge.limit().rule();
            if (charge.isEnforced()
                    && rule.remaining(seen.snapshots[i], seen.seenAtMicros(i)) <= (rule.capacity() - 1) / parts) {
                return charge;
            }
        }
        return null;
    }

    /** No cost at all, in each unit that was asked for. */
    final Costs nothing() {
        return evidence().asked.nothing();
    }

    private static LimitStatus status(Evidence seen, int i) {
        Charge charge = seen.ask.charge(i);
        Snapshot snapshot = seen.snapshots[i];
        Rule rule = charge.limit().rule();
        boolean over = seen.isExceeded(i);
        long seenAt = seen.seenAtMicros(i);
        return new LimitStatus(
                charge,
                outcome(charge, snapshot, over),
                charge.cost(),
                rule.remaining(snapshot, seenAt),
                micros(rule.resetMicros(snapshot, seenAt)),
                over ? retry(rule, snapshot, seen, seenAt) : null);
    }

    private static LimitStatus.Outcome outcome(Charge charge, Snapshot snapshot, boolean over) {
        if (!over) {
            return LimitStatus.Outcome.FITTED;
        }
        boolean blocked = charge.limit().algorithm() instanceof Lockout && snapshot.cost() == 0;
        return blocked ? LimitStatus.Outcome.BLOCKED : LimitStatus.Outcome.EXCEEDED;
    }

    private static Retry retry(Rule rule, Snapshot refused, Evidence seen, long seenAt) {
        long wait = rule.waitMicros(refused, seenAt, seen.ask.maxDelayMicros());
        boolean exact = seen.decidedBy != DecidedBy.FALLBACK && rule.waitIsExact(refused);
        return wait == Rule.NEVER ? new Retry.Never() : retryAfter(seenAt, wait, exact);
    }

    /** A guess at when to try again, so long after the decision. */
    final Retry retryAfter(long waitMicros) {
        return retryAfter(madeAtMicros, waitMicros, false);
    }

    private static Retry retryAfter(long fromMicros, long waitMicros, boolean exact) {
        Instant time = Instant.EPOCH.plus(fromMicros + waitMicros, ChronoUnit.MICROS);
        Duration after = micros(waitMicros);
        return exact ? new Retry.NotBefore(time, after) : new Retry.Estimate(time, after);
    }

    static long toMicros(Duration duration) {
        return duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
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
