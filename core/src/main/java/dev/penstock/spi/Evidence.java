package dev.penstock.spi;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a decision: a snapshot of each account, which charges did not fit, when, and who decided.
 *
 * <p>Immutable. {@link EvidenceBuilder} combines evidence from several places or times.
 */
public final class Evidence {
    private static final Snapshot[] NOTHING_SEEN = {};

    /** The whole ask, including charges whose accounts were not seen. */
    private final Ask asked;

    /** The charges whose accounts were seen. Either each has a snapshot, or none has. */
    private final Ask seen;

    private final Snapshot[] snapshots;
    private final long exceeded;
    private final long leased;
    private final long madeAtMicros;
    private final DecidedBy decidedBy;

    /**
     * The time at which each account was seen, by the clock of its store or process. Null if all were seen at the time
     * of the decision.
     */
    private final long @Nullable [] seenAtMicros;

    /** Computed on demand. Threads that race compute the same list twice. */
    private @Nullable List<LimitStatus> limits;

    /**
     * Creates the evidence of a decision that saw the account of every charge at one time.
     *
     * @param ask the ask
     * @param snapshots one per charge, in the order of the ask; must not be modified afterward
     * @param exceeded one bit per charge that did not fit, the first charge in the lowest bit
     * @param madeAtMicros the time of the decision, by the clock of the store or process that keeps the accounts
     * @param decidedBy the part of the stack that decided
     */
    public Evidence(Ask ask, Snapshot[] snapshots, long exceeded, long madeAtMicros, DecidedBy decidedBy) {
        this(ask, ask, snapshots, exceeded, 0, madeAtMicros, decidedBy, null);
    }

    Evidence(
            Ask asked,
            Ask seen,
            Snapshot[] snapshots,
            long exceeded,
            long leased,
            long madeAtMicros,
            DecidedBy decidedBy,
            long @Nullable [] seenAtMicros) {
        this.asked = asked;
        this.seen = seen;
        this.snapshots = snapshots;
        this.exceeded = exceeded;
        this.leased = leased;
        this.madeAtMicros = madeAtMicros;
        this.decidedBy = decidedBy;
        this.seenAtMicros = seenAtMicros;
    }

    /** Returns the evidence of a decision that was made without seeing any account. */
    public static Evidence none(Ask ask, long madeAtMicros, DecidedBy decidedBy) {
        return new Evidence(ask, NOTHING_SEEN, 0, madeAtMicros, decidedBy);
    }

    /** Returns the evidence of a decision that replaces another one and saw no account. */
    public static Evidence none(Decision replaced, long madeAtMicros) {
        return none(replaced.evidence().asked, madeAtMicros, replaced.decidedBy());
    }

    /** Returns this evidence as the answer to a larger ask, of which its own ask was a part, with another decider. */
    public Evidence of(Ask wider, DecidedBy other) {
        return new Evidence(wider, seen, snapshots, exceeded, leased, madeAtMicros, other, seenAtMicros);
    }

    /**
     * Returns this evidence with enforcement only for the charges that the condition accepts. All others become shadow
     * charges.
     */
    public Evidence enforcing(Predicate<Charge> denies) {
        return new Evidence(
                enforced(asked, denies),
                enforced(seen, denies),
                snapshots,
                exceeded,
                leased,
                madeAtMicros,
                decidedBy,
                seenAtMicros);
    }

    private static Ask enforced(Ask ask, Predicate<Charge> denies) {
        return ask.withCharges(ask.charges().stream()
                .map(charge -> charge.on(
                        charge.settings().enforcement(denies.test(charge) ? Enforcement.ENFORCED : Enforcement.SHADOW)))
                .toList());
    }

    /** Returns whether an enforced charge did not fit. */
    public boolean deniesAny() {
        for (int i = 0; i < snapshots.length; i++) {
            if (isExceeded(i) && charge(i).isEnforced()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the whole ask, including charges whose accounts were not seen. */
    public Ask asked() {
        return asked;
    }

    /** Returns the number of charges whose accounts were seen. */
    public int size() {
        return snapshots.length;
    }

    /** Returns a charge whose account was seen. */
    public Charge charge(int i) {
        return seen.charge(i);
    }

    /** Returns the account of a charge as it was seen, including the charge if it was made. */
    public Snapshot snapshot(int i) {
        return snapshots[i];
    }

    /** Returns whether the charge did not fit. */
    public boolean isExceeded(int i) {
        return (exceeded >>> i & 1) != 0;
    }

    /** Returns whether the charge was made from a lease, so that its snapshot is from the time of the draw. */
    public boolean isLeased(int i) {
        return (leased >>> i & 1) != 0;
    }

    /** Returns when the account of the charge was seen, by the clock of its store or process. */
    public long seenAtMicros(int i) {
        return seenAtMicros == null ? madeAtMicros : seenAtMicros[i];
    }

    /** Returns when the decision was made, by the store's clock. */
    public long madeAtMicros() {
        return madeAtMicros;
    }

    /** Returns the part of the stack that decided. */
    public DecidedBy decidedBy() {
        return decidedBy;
    }

    /** Returns the status of every limit that was seen, in the order of the charges. */
    public List<LimitStatus> limits() {
        List<LimitStatus> known = limits;
        if (known == null) {
            LimitStatus[] all = new LimitStatus[snapshots.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = status(i);
            }
            known = List.of(all); // immutable, so a racy write is safe
            limits = known;
        }
        return known;
    }

    /**
     * Returns how long after the decision the limit of a charge resets: the end of the window for a window, even if
     * nothing was spent in it, and {@link LimitStatus#resetAfter} for all others.
     */
    public Duration periodEndsAfter(int i) {
        return Duration.of(charge(i).limit().rule().periodEndMicros(snapshots[i], seenAtMicros(i)), ChronoUnit.MICROS);
    }

    private LimitStatus status(int i) {
        Charge charge = charge(i);
        Snapshot snapshot = snapshots[i];
        Rule rule = charge.limit().rule();
        long seenAt = seenAtMicros(i);
        return new LimitStatus(
                charge,
                outcome(i),
                charge.cost(),
                rule.remaining(snapshot, seenAt),
                Duration.of(rule.allBackMicros(snapshot, seenAt), ChronoUnit.MICROS),
                isExceeded(i) ? retry(rule, snapshot, seenAt) : null);
    }

    private LimitStatus.Outcome outcome(int i) {
        if (!isExceeded(i)) {
            return LimitStatus.Outcome.FITTED;
        }
        boolean isBlocked = charge(i).limit().algorithm() instanceof Lockout && snapshots[i].cost() == 0;
        return isBlocked ? LimitStatus.Outcome.BLOCKED : LimitStatus.Outcome.EXCEEDED;
    }

    private Retry retry(Rule rule, Snapshot refused, long seenAt) {
        long waitMicros = rule.waitMicros(refused, seenAt, seen.maxDelayMicros());
        if (waitMicros == Rule.NEVER) {
            return new Retry.Never();
        }
        Instant time = Instant.EPOCH.plus(seenAt + waitMicros, ChronoUnit.MICROS);
        Duration after = Duration.of(waitMicros, ChronoUnit.MICROS);
        boolean isExact = decidedBy != DecidedBy.FALLBACK && rule.waitIsExact(refused);
        return isExact ? new Retry.NotBefore(time, after) : new Retry.Estimate(time, after);
    }
}
