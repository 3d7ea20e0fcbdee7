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
 * The short way for the most frequent ask, one charge that is not held: worked out on a copy of the account's numbers,
 * which is written back only if nobody else wrote meanwhile. A refusal writes nothing.
 *
 * <p>Methods are kept below the size up to which the JIT inlines hot ones.
 */
final class SingleChargePath {
    private static final int TRIES = 16;

    /** How long to stay away from an account that others write to: some microseconds, so that they get on with it. */
    private static final int PAUSES = 512;

    private final Accounts accounts;
    private final Clock clock;

    SingleChargePath(Accounts accounts, Clock clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    /** The decision, or null where this charge needs the long way. */
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
                // No account is needed; or there is no room for one, and the long way knows what to do.
                return charges ? null : decideOnFresh(charge, rule, clock.micros());
            }
            int version = account.version();
            if (!Account.isFree(version)) {
                standBack();
                continue;
            }
            // After the version: nobody who wrote what we read can have seen a later time than this.
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
     * Writes the numbers to the account, with the charge where it is to be made; null if somebody else wrote before.
     *
     * <p>Takes the numbers one by one, so that a refusal, which never comes here, need not put them into an object.
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

    /** How long the request has to wait for its turn; a shadow holds nobody up. */
    private static long delayMicros(Charge charge, State state, long now) {
        return charge.isEnforced() ? charge.limit().rule().delayMicros(state, 0, now) : 0;
    }

    /** Whether the charge and its numbers are all there is to say of the decision. */
    private static boolean isSimple(Charge charge, State state, boolean fits) {
        return state.rule == charge.limit().rule() && (fits || charge.isEnforced());
    }

    /** Decides on a fresh state that is not going to be kept. */
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
     * Leaves the account to the other processor for a moment. While two take turns at every write, the account travels
     * between them each time, which costs far more than the decision; so whoever loses a race lets the winner go on.
     */
    private static void standBack() {
        for (int i = 0; i < PAUSES; i++) {
            Thread.onSpinWait();
        }
    }
}
