package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.AccountName;
import dev.penstock.internal.BoundedMap;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The store's last report on each account that a local share may decide, so that an outage starts from there. Bounded:
 * the accounts with the oldest reports are dropped first. Thread-safe.
 */
public final class StoreReports {
    /**
     * The store's report of what was left in an account. Two reports are the same only if they are the same object.
     *
     * <p>Times are this node's, except {@code madeAt}, which is the store's.
     */
    static final class StoreReport {
        private final long remaining;
        private final long resetMicros;
        private final long saidAtMicros;
        private final Instant madeAt;
        private final @Nullable Snapshot whenDrawn;

        /** @param madeAt when the report was true, by the store's clock */
        StoreReport(long remaining, long resetMicros, long saidAtMicros, Instant madeAt, @Nullable Snapshot whenDrawn) {
            this.remaining = remaining;
            this.resetMicros = resetMicros;
            this.saidAtMicros = saidAtMicros;
            this.madeAt = madeAt;
            this.whenDrawn = whenDrawn;
        }

        long remaining() {
            return remaining;
        }

        /** Returns how long after the report everything spent would have come back. */
        long resetMicros() {
            return resetMicros;
        }

        long saidAtMicros() {
            return saidAtMicros;
        }

        /**
         * Returns whether the report still matters, which it does until the account would be full again if nobody used
         * it.
         */
        boolean holds(Limit limit, long nowMicros) {
            return restMicros(nowMicros) > 0
                    || (!(limit.algorithm() instanceof Lockout)
                            && nowMicros < limit.rule().idleAfterMicros(limit.capacity(), saidAtMicros));
        }

        /** Returns how long from now until the account would be equivalent to a fresh one. */
        long restMicros(long nowMicros) {
            return saidAtMicros + resetMicros - nowMicros;
        }
    }

    private final BoundedMap<AccountName, StoreReport> words;
    private final Clock clock;

    public StoreReports(int most, Clock clock) {
        this.words = new BoundedMap<>(most);
        this.clock = clock;
    }

    /**
     * Records the statuses in a decision. Ignores decisions that the store did not make itself, and older answers
     * repeated under the same id.
     */
    public void note(Ask ask, Decision decision) {
        if (decision.decidedBy() != DecidedBy.STORE) {
            return;
        }
        long now = clock.micros();
        boolean mayBeOld = ask.id() != null && decision.isAllowed();
        Evidence evidence = decision.evidence();
        List<LimitStatus> limits = decision.limits();
        for (int i = 0; i < limits.size(); i++) {
            LimitStatus status = limits.get(i);
            if (evidence.isLeased(i)) {
                noteLeased(status.charge(), evidence.snapshot(i), evidence.seenAtMicros(i));
            } else if (status.charge().settings().onStoreFailure().usesShares()) {
                AccountName name = new AccountName(status.charge());
                StoreReport known = mayBeOld ? words.get(name) : null;
                if (known == null || known.madeAt.isBefore(decision.madeAt())) {
                    long reset = spentResetMicros(evidence, i);
                    words.put(name, new StoreReport(status.remaining(), reset, now, decision.madeAt(), null));
                }
            }
        }
    }

    /**
     * Records the store's report from the time when a lease was drawn, now that a charge spent a permit of the lease.
     * Recorded once per lease.
     *
     * @param whenDrawn the account when the lease was drawn
     * @param storeMicros the store's time now
     */
    public void noteLeased(Charge charge, Snapshot whenDrawn, long storeMicros) {
        if (charge.settings().onStoreFailure().usesShares()) {
            AccountName name = new AccountName(charge);
            StoreReport known = words.get(name);
            if (known == null || known.whenDrawn != whenDrawn) {
                long remaining = charge.limit().rule().remaining(whenDrawn, storeMicros);
                long reset = charge.limit().rule().resetMicros(whenDrawn, storeMicros);
                Instant drawnAt = Instant.EPOCH.plus(storeMicros, ChronoUnit.MICROS);
                words.put(name, new StoreReport(remaining, reset, clock.micros(), drawnAt, whenDrawn));
            }
        }
    }

    /**
     * Records the report that the store will make after an account is charged with what a share allowed.
     *
     * @param before the store's answer just before
     * @param posted the amount to charge
     */
    void notePosted(Charge charge, Decision before, long posted) {
        Evidence evidence = before.evidence();
        for (int i = 0; i < evidence.size(); i++) {
            LimitStatus status = evidence.limits().get(i);
            long now = clock.micros();
            long remaining = Math.max(0, status.remaining() - posted);
            long reset = spentResetMicros(evidence, i);
            long after = ShareStart.resetAfterMicros(status.limit(), reset, posted, remaining, now);
            words.put(new AccountName(charge), new StoreReport(remaining, after, now, before.madeAt(), null));
        }
    }

    /** Returns how long until everything spent is back, without what is held. */
    private static long spentResetMicros(Evidence evidence, int i) {
        return evidence.charge(i).limit().rule().resetMicros(evidence.snapshot(i), evidence.seenAtMicros(i));
    }

    /** Records that the account was reset, so that everything is left in it. */
    public void noteReset(Charge charge) {
        if (charge.settings().onStoreFailure().usesShares()) {
            words.put(
                    new AccountName(charge),
                    new StoreReport(charge.limit().capacity(), 0, clock.micros(), Instant.MIN, null));
        }
    }

    /** Drops the reports on all accounts of these counters, which were reset. */
    void forget(Set<String> counters) {
        words.removeIf(name -> name.isOf(counters));
    }

    @Nullable
    StoreReport of(AccountName name) {
        return words.get(name);
    }
}
