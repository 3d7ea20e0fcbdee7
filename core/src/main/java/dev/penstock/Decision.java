package dev.penstock;

import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request: {@link Allowed} or {@link Denied}.
 *
 * <p>Immutable. Remaining, reset and retry are computed when asked for, from a copy of the state that the decision was
 * made on; an allowed decision that nobody looks into costs next to nothing.
 */
public abstract sealed class Decision implements Reply<Decision> permits Allowed, Denied {
    /** What an engine saw: a snapshot per charge, which of them did not fit (a bit each), when, and who decided. */
    public static final class Evidence {
        private static final Snapshot[] NO_MORE = {};

        private final Ask ask;
        private final @Nullable Snapshot first;
        private final Snapshot[] rest;
        private final long exceeded;
        private final long madeAtMicros;
        private final DecidedBy decidedBy;

        /** Of one charge, the usual case. */
        public Evidence(Ask ask, @Nullable Snapshot only, long exceeded, long madeAtMicros, DecidedBy decidedBy) {
            this(ask, only, NO_MORE, exceeded, madeAtMicros, decidedBy);
        }

        /** Of several charges; of none, an empty array. */
        public Evidence(Ask ask, Snapshot[] all, long exceeded, long madeAtMicros, DecidedBy decidedBy) {
            this(
                    ask,
                    all.length == 0 ? null : all[0],
                    all.length <= 1 ? NO_MORE : Arrays.copyOfRange(all, 1, all.length),
                    exceeded,
                    madeAtMicros,
                    decidedBy);
        }

        private Evidence(
                Ask ask,
                @Nullable Snapshot first,
                Snapshot[] rest,
                long exceeded,
                long madeAtMicros,
                DecidedBy decidedBy) {
            this.ask = ask;
            this.first = first;
            this.rest = rest;
            this.exceeded = exceeded;
            this.madeAtMicros = madeAtMicros;
            this.decidedBy = decidedBy;
        }

        /** Evidence of a decision that was made without looking at any account. */
        public static Evidence none(Ask ask, long madeAtMicros, DecidedBy decidedBy) {
            return new Evidence(ask, NO_MORE, 0, madeAtMicros, decidedBy);
        }
    }

    private final Ask ask;
    private final @Nullable Snapshot first;
    private final Snapshot[] rest;
    private final long exceeded;
    private final long madeAtMicros;
    private final DecidedBy decidedBy;

    Decision(Evidence evidence) {
        this.ask = evidence.ask;
        this.first = evidence.first;
        this.rest = evidence.rest;
        this.exceeded = evidence.exceeded;
        this.madeAtMicros = evidence.madeAtMicros;
        this.decidedBy = evidence.decidedBy;
    }

    public final boolean isAllowed() {
        return this instanceof Allowed;
    }

    public final Ask ask() {
        return ask;
    }

    public final DecidedBy decidedBy() {
        return decidedBy;
    }

    /** When the decision was made, by the store's clock. */
    public final Instant madeAt() {
        return Instant.EPOCH.plus(madeAtMicros, ChronoUnit.MICROS);
    }

    /** Every limit that took part, in the order of the charges; empty where no account was looked at. */
    public final List<LimitStatus> limits() {
        if (first == null) {
            return List.of();
        }
        List<LimitStatus> all = new ArrayList<>(1 + rest.length);
        all.add(status(0, first));
        for (int i = 0; i < rest.length; i++) {
            all.add(status(1 + i, rest[i]));
        }
        return all;
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

    private LimitStatus status(int i, Snapshot snapshot) {
        Charge charge = ask.charge(i);
        Rule rule = charge.limit().rule();
        boolean over = (exceeded >>> i & 1) != 0;
        return new LimitStatus(
                charge,
                over ? LimitStatus.Outcome.EXCEEDED : LimitStatus.Outcome.FITTED,
                charge.cost(),
                rule.remaining(snapshot, madeAtMicros),
                micros(rule.resetMicros(snapshot, madeAtMicros)),
                over ? retry(rule, snapshot) : null);
    }

    private Retry retry(Rule rule, Snapshot refused) {
        long wait = rule.waitMicros(refused, madeAtMicros, ask.maxDelayMicros());
        return wait == Rule.NEVER ? new Retry.Never() : retryAfter(wait, rule.waitIsExact(refused));
    }

    final Retry retryAfter(long waitMicros, boolean exact) {
        Instant time = Instant.EPOCH.plus(madeAtMicros + waitMicros, ChronoUnit.MICROS);
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
