package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.State;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for the most frequent ask, one charge that is not held. It is computed on a copy of the account's
 * numbers, which is written back only if no other thread wrote meanwhile. A denial writes nothing.
 *
 * <p>Methods are kept small enough for the JIT to inline them when they are hot.
 */
final class SingleChargePath {
    private static final int TRIES = 16;

    /**
     * The number of pauses before another attempt on an account that other threads write to. They take some
     * microseconds.
     */
    private static final int PAUSES = 512;

    private final Accounts accounts;
    private final Clock clock;

    SingleChargePath(Accounts accounts, Clock clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    /** Returns the decision, or null if this charge needs the general path. */
    @Nullable
    Decision decide(Charge charge, Ask.Purpose purpose) {
        Rule rule = charge.limit().rule();
        if (!rule.isPlain()) {
            return null;
        }
        boolean charges = purpose == Ask.Purpose.DECIDE && charge.cost() > 0 && charge.cost() <= rule.capacity();
        AccountAddress address = new AccountAddress(charge, charge.key().bytes());
        for (int i = 0; i < TRIES; i++) {
            Account account = charges ? accounts.findOrAdd(address, charge.cost()) : accounts.find(address);
            if (account == null) {
                // Either no account is needed, or there is no room for one and the general path handles that.
                return charges ? null : decideOnFresh(charge, rule, clock.micros());
            }
            int version = account.version();
            if (!Account.isFree(version)) {
                standBack();
                continue;
            }
            // Read after the version. So a thread whose numbers are read here cannot have seen a later time than this.
            long now = clock.micros();
            State state = new State(rule);
            state.copyFrom(account);
            if (!account.isStill(version)) {
                standBack();
                continue;
            }
            if (state.extra != null) {
                return null;
            }
            boolean store = rule.advance(state, now);
            boolean fits = fits(charge, state, now);
            if (!isSimple(charge, state, fits)) {
                return null;
            }
            if (!store && !(fits && charges)) {
                return answer(charge, state, fits, now);
            }
            Decision decision =
                    write(account, version, charge, state.first, state.second, state.third, fits, charges, now);
            if (decision != null) {
                return decision;
            }
            standBack();
        }
        return null;
    }

    /**
     * Writes the numbers to the account, together with the charge if it is to be made. Returns null if another thread
     * wrote first.
     *
     * <p>Takes the numbers one by one, so that the JIT need not create an object for them in a denial, which never gets
     * here.
     */
    private static @Nullable Decision write(
            Account account,
            int version,
            Charge charge,
            long a,
            long b,
            long c,
            boolean fits,
            boolean charges,
            long now) {
        Rule rule = charge.limit().rule();
        State state = new State(rule, a, b, c);
        long delay = 0;
        if (fits) {
            delay = delayMicros(charge, state, now);
            if (charges) {
                rule.charge(state, charge.cost(), now);
            }
        }
        if (!account.tryWrite(version, state)) {
            return null;
        }
        return fits ? new Allowed(charge, state, delay, now) : new Denied(charge, state, now);
    }

    private static Decision answer(Charge charge, State state, boolean fits, long now) {
        return fits ? new Allowed(charge, state, delayMicros(charge, state, now), now) : new Denied(charge, state, now);
    }

    private static boolean fits(Charge charge, State state, long now) {
        Rule rule = charge.limit().rule();
        return charge.cost() <= rule.capacity() && rule.fits(state, charge.cost(), now);
    }

    /** Returns how long the request must wait for its turn. A shadow charge delays no request. */
    private static long delayMicros(Charge charge, State state, long now) {
        return charge.isEnforced() ? charge.limit().rule().delayMicros(state, 0, now) : 0;
    }

    /** Returns whether the charge and its numbers fully describe the decision. */
    private static boolean isSimple(Charge charge, State state, boolean fits) {
        return state.rule == charge.limit().rule() && (fits || charge.isEnforced());
    }

    /** Decides on a fresh state that is not kept. */
    private static @Nullable Decision decideOnFresh(Charge charge, Rule rule, long now) {
        State fresh = new State(rule);
        rule.advance(fresh, now);
        boolean fits = fits(charge, fresh, now);
        if (!isSimple(charge, fresh, fits)) {
            return null;
        }
        return answer(charge, fresh, fits, now);
    }

    /**
     * Leaves the account to another processor for a moment. If two processors take turns at every write, the account
     * moves between their caches each time, which costs far more than the decision. So a thread that loses a race lets
     * the winner continue.
     */
    private static void standBack() {
        for (int i = 0; i < PAUSES; i++) {
            Thread.onSpinWait();
        }
    }
}
