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
        long cost = charge.cost();
        boolean charges = ask.purpose() == Ask.Purpose.DECIDE && cost > 0 && cost <= rule.capacity();
        for (int i = 0; i < TRIES; i++) {
            Account account =
                    charges ? accounts.findOrAdd(charge.key(), rule, cost) : accounts.find(charge.key(), rule);
            if (account == null && charges) {
                return null; // no room: the long way knows what to do
            }
            int version = account == null ? 0 : account.version();
            if (!Account.isFree(version)) {
                Thread.onSpinWait();
                continue;
            }
            // After the version: nobody who wrote what we read can have seen a later time than this.
            long now = clock.micros();
            Snapshot state = new Snapshot(account == null ? new State(rule) : account, cost, 0);
            if (account != null && !account.isStill(version)) {
                continue;
            }
            if (state.extra != null) {
                return null;
            }
            boolean store = rule.advance(state, now);
            boolean fits = cost <= rule.capacity() && rule.fits(state, cost, now);
            long delay = fits ? rule.delayMicros(state, now) : 0;
            if (delay > ask.maxDelayMicros()) {
                fits = false;
                delay = 0;
            }
            if (fits && charges) {
                rule.charge(state, cost, now);
                store = true;
            }
            if (store && account != null && !write(account, version, state)) {
                continue;
            }
            state.freeze(rule);
            return answer(ask, charge, state, fits, delay, now);
        }
        return null;
    }

    private static boolean write(Account account, int version, Snapshot state) {
        if (!account.tryLock(version)) {
            return false;
        }
        account.copyFrom(state);
        account.unlock();
        return true;
    }

    private static Decision answer(Ask ask, Charge charge, Snapshot state, boolean fits, long delay, long now) {
        Decision.Evidence evidence =
                new Decision.Evidence(ask, new Snapshot[] {state}, fits ? 0 : 1, now, DecidedBy.STORE);
        return fits || charge.terms().effect() == Effect.OBSERVE
                ? new Allowed(evidence, delay, null)
                : new Denied(evidence);
    }
}
