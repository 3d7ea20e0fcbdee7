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
 * What an engine saw when it decided: a snapshot of each account, which charges did not fit, when, and who decided.
 *
 * <p>Immutable. {@link EvidenceBuilder} puts evidence together that was seen in several places or at several times.
 */
public final class Evidence {
    private static final Snapshot[] NOTHING_SEEN = {};

    /** What was asked for, whether its accounts were seen or not. */
    private final Ask asked;

    /** The charges whose accounts were seen: there is a snapshot for each, or none at all. */
    private final Ask seen;

    private final Snapshot[] snapshots;
    private final long exceeded;
    private final long madeAtMicros;
    private final DecidedBy decidedBy;

    /** When each account was seen, by the clock of its place; null if all were seen when the decision was made. */
    private final long @Nullable [] seenAtMicros;

    /** Computed when first asked for. A race computes the same list twice. */
    private @Nullable List<LimitStatus> limits;

    /**
     * Evidence of a decision that saw the account of every charge at one time.
     *
     * @param snapshots one per charge, in the order of the ask; no others may write to them later
     * @param exceeded one bit per charge that did not fit, the first charge in the lowest bit
     * @param madeAtMicros when, by the clock of the place where the accounts are
     */
    public Evidence(Ask ask, Snapshot[] snapshots, long exceeded, long madeAtMicros, DecidedBy decidedBy) {
        this(ask, ask, snapshots, exceeded, madeAtMicros, decidedBy, null);
    }

    Evidence(
            Ask asked,
            Ask seen,
            Snapshot[] snapshots,
            long exceeded,
            long madeAtMicros,
            DecidedBy decidedBy,
            long @Nullable [] seenAtMicros) {
        this.asked = asked;
        this.seen = seen;
        this.snapshots = snapshots;
        this.exceeded = exceeded;
        this.madeAtMicros = madeAtMicros;
        this.decidedBy = decidedBy;
        this.seenAtMicros = seenAtMicros;
    }

    /** Evidence of a decision that was made without seeing any account. */
    public static Evidence none(Ask ask, long madeAtMicros, DecidedBy decidedBy) {
        return new Evidence(ask, NOTHING_SEEN, 0, madeAtMicros, decidedBy);
    }

    /** Evidence of a decision that replaces another one and saw no account. */
    public static Evidence none(Decision replaced, long madeAtMicros) {
        return none(replaced.evidence().asked, madeAtMicros, replaced.decidedBy());
    }

    /** Returns the same evidence as the answer to another ask, of which this one was a part, under another decider. */
    public Evidence of(Ask wider, DecidedBy other) {
        return new Evidence(wider, seen, snapshots, exceeded, madeAtMicros, other, seenAtMicros);
    }

    /** Returns the same evidence with only the charges enforced for which the condition holds; the rest become shadow. */
    public Evidence enforcing(Predicate<Charge> denies) {
        return new Evidence(
                enforced(asked, denies),
                enforced(seen, denies),
                snapshots,
                exceeded,
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

    /** Whether an enforced charge did not fit. */
    public boolean deniesAny() {
        for (int i = 0; i < snapshots.length; i++) {
            if (isExceeded(i) && charge(i).isEnforced()) {
                return true;
            }
        }
        return false;
    }

    /** What was asked for. */
    public Ask asked() {
        return asked;
    }

    /** The number of charges whose accounts were seen. */
    public int size() {
        return snapshots.length;
    }

    public Charge charge(int i) {
        return seen.charge(i);
    }

    /** The account of a charge as it was seen: after the charge if that was made. */
    public Snapshot snapshot(int i) {
        return snapshots[i];
    }

    /** Whether the charge did not fit. */
    public boolean isExceeded(int i) {
        return (exceeded >>> i & 1) != 0;
    }

    /** When the account of the charge was seen, by the clock of its place. */
    public long seenAtMicros(int i) {
        return seenAtMicros == null ? madeAtMicros : seenAtMicros[i];
    }

    /** When the decision was made, by the store's clock. */
    public long madeAtMicros() {
        return madeAtMicros;
    }

    public DecidedBy decidedBy() {
        return decidedBy;
    }

    /** The status of every limit that was seen, in the order of the charges. */
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
                Duration.of(rule.resetMicros(snapshot, seenAt), ChronoUnit.MICROS),
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
