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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the store last said of each account that would be decided by its share, so that an outage starts from there.
 * Bounded; the accounts not heard of for longest are forgotten first. Thread-safe.
 */
public final class StoreReports {
    /**
     * What was left in an account, and when that was said. A word is told from any other by its identity.
     *
     * <p>Times are this node's, except {@code madeAt}, which is the store's.
     */
    static final class Word {
        private final long remaining;
        private final long resetMicros;
        private final long saidAtMicros;
        private final Instant madeAt;
        private final @Nullable Snapshot whenDrawn;

        /** @param madeAt when the store knew it to be so, by its own clock */
        Word(long remaining, long resetMicros, long saidAtMicros, Instant madeAt, @Nullable Snapshot whenDrawn) {
            this.remaining = remaining;
            this.resetMicros = resetMicros;
            this.saidAtMicros = saidAtMicros;
            this.madeAt = madeAt;
            this.whenDrawn = whenDrawn;
        }

        long remaining() {
            return remaining;
        }

        /** How long it took, from when it was said, until everything spent would have come back. */
        long resetMicros() {
            return resetMicros;
        }

        long saidAtMicros() {
            return saidAtMicros;
        }

        /** Whether it still says something: an account that nobody touches would not be full again by now. */
        boolean holds(Limit limit, long nowMicros) {
            return restMicros(nowMicros) > 0
                    || (!(limit.algorithm() instanceof Lockout)
                            && nowMicros < limit.rule().idleAfterMicros(limit.capacity(), saidAtMicros));
        }

        /** How long from now until the account would be as good as fresh. */
        long restMicros(long nowMicros) {
            return saidAtMicros + resetMicros - nowMicros;
        }
    }

    private final BoundedMap<AccountName, Word> words;
    private final Clock clock;

    public StoreReports(int most, Clock clock) {
        this.words = new BoundedMap<>(most);
        this.clock = clock;
    }

    /**
     * Keeps what a decision of the store's own says; what others made of it is no news, nor is what was answered before under the
     * same id.
     */
    public void note(Ask ask, Decision decision) {
        if (decision.decidedBy() != DecidedBy.STORE) {
            return;
        }
        long now = clock.micros();
        boolean mayBeOld = ask.id() != null && decision.isAllowed();
        for (LimitStatus status : decision.limits()) {
            if (status.charge().settings().onStoreFailure().usesShares()) {
                AccountName name = new AccountName(status.charge());
                Word known = mayBeOld ? words.get(name) : null;
                if (known == null || known.madeAt.isBefore(decision.madeAt())) {
                    long reset = status.resetAfter().toNanos() / 1_000;
                    words.put(name, new Word(status.remaining(), reset, now, decision.madeAt(), null));
                }
            }
        }
    }

    /**
     * Keeps what the store said when a lease was drawn, of which a charge was now spent; once a lease.
     *
     * @param whenDrawn the account then
     * @param storeMicros the store's time now
     */
    public void noteLeased(Charge charge, Snapshot whenDrawn, long storeMicros) {
        if (charge.settings().onStoreFailure().usesShares()) {
            AccountName name = new AccountName(charge);
            Word known = words.get(name);
            if (known == null || known.whenDrawn != whenDrawn) {
                long remaining = charge.limit().rule().remaining(whenDrawn, storeMicros);
                long reset = charge.limit().rule().resetMicros(whenDrawn, storeMicros);
                Instant drawnAt = Instant.EPOCH.plus(storeMicros, ChronoUnit.MICROS);
                words.put(name, new Word(remaining, reset, clock.micros(), drawnAt, whenDrawn));
            }
        }
    }

    /**
     * Keeps what the store will say of an account once it has been charged what a share gave out.
     *
     * @param before what it said just before
     * @param posted the amount that it is charged
     */
    void notePosted(Charge charge, Decision before, long posted) {
        for (LimitStatus status : before.limits()) {
            long now = clock.micros();
            long remaining = Math.max(0, status.remaining() - posted);
            long reset = status.resetAfter().toNanos() / 1_000;
            long after = ShareStart.resetAfterMicros(status.limit(), reset, posted, remaining, now);
            words.put(new AccountName(charge), new Word(remaining, after, now, before.madeAt(), null));
        }
    }

    /** The account was reset: everything is left in it. */
    public void noteReset(Charge charge) {
        if (charge.settings().onStoreFailure().usesShares()) {
            words.put(
                    new AccountName(charge), new Word(charge.limit().capacity(), 0, clock.micros(), Instant.MIN, null));
        }
    }

    /** All accounts of these counters were reset. */
    void forget(Set<String> counters) {
        words.removeIf(name -> name.isOf(counters));
    }

    @Nullable
    Word of(AccountName name) {
        return words.get(name);
    }
}
