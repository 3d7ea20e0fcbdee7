package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Clock;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Effect;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import dev.penstock.internal.algorithm.State;
import org.jspecify.annotations.Nullable;

/**
 * The short way for the most frequent ask, one charge that is not held: worked out on a copy of the account's numbers,
 * which is written back only if nobody else wrote meanwhile. A refusal writes nothing.
 *
 * <p>Methods are kept below the size up to which the JIT inlines hot ones.
 */
final class LoneCharge {
    private static final int TRIES = 16;

    private final Accounts accounts;
    private final Clock clock;

    LoneCharge(Accounts accounts, Clock clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    /** The decision, or null where this ask needs the long way. */
    @Nullable
    Decision decide(Ask ask) {
        Charge charge = ask.charge(0);
        Rule rule = charge.limit().rule();
        if (!rule.isPlain()) {
            return null;
        }
        boolean charges = ask.purpose() == Ask.Purpose.DECIDE && charge.cost() > 0 && charge.cost() <= rule.capacity();
        for (int i = 0; i < TRIES; i++) {
            Account account =
                    charges ? accounts.findOrAdd(charge.key(), rule, charge.cost()) : accounts.find(charge.key(), rule);
            if (account == null) {
                // No account is needed; or there is no room for one, and the long way knows what to do.
                return charges
                        ? null
                        : answer(ask, rule, new Snapshot(new State(rule), charge.cost(), 0), clock.micros());
            }
            int version = account.version();
            if (!Account.isFree(version)) {
                Thread.onSpinWait();
                continue;
            }
            // After the version: nobody who wrote what we read can have seen a later time than this.
            long now = clock.micros();
            Snapshot state = new Snapshot(account, charge.cost(), 0);
            if (!account.isStill(version)) {
                continue;
            }
            if (state.extra != null) {
                return null;
            }
            Decision decision = decideOn(state, account, version, ask, charges, now);
            if (decision != null) {
                return decision;
            }
        }
        return null;
    }

    /** Decides on a copy of the account at that version; null if the account was written to before the copy could be. */
    private static @Nullable Decision decideOn(
            Snapshot state, Account account, int version, Ask ask, boolean charges, long now) {
        Charge charge = ask.charge(0);
        Rule rule = charge.limit().rule();
        boolean store = rule.advance(state, now);
        boolean fits = charge.cost() <= rule.capacity() && rule.fits(state, charge.cost(), now);
        long delay = fits ? rule.delayMicros(state, now) : 0;
        fits &= delay <= ask.maxDelayMicros();
        if (fits && charges) {
            rule.charge(state, charge.cost(), now);
            store = true;
        }
        if (store) {
            if (!account.tryLock(version)) {
                return null;
            }
            account.copyFrom(state);
            account.unlock();
        }
        return answer(ask, state, fits, delay, now);
    }

    /** Decides on a fresh state that is not going to be kept. */
    private static Decision answer(Ask ask, Rule rule, Snapshot fresh, long now) {
        rule.advance(fresh, now);
        long cost = ask.charge(0).cost();
        return answer(ask, fresh, cost <= rule.capacity() && rule.fits(fresh, cost, now), 0, now);
    }

    private static Decision answer(Ask ask, Snapshot state, boolean fits, long delay, long now) {
        Decision.Evidence evidence = new Decision.Evidence(ask, state, fits ? 0 : 1, now, DecidedBy.STORE);
        return fits || ask.charge(0).terms().effect() == Effect.OBSERVE
                ? new Allowed(evidence, fits ? delay : 0, null)
                : new Denied(evidence);
    }
}
