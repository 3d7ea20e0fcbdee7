package dev.penstock.internal.memory;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.HeldCharge;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.ShadowCharges;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The general path, for any ask. It locks the accounts of all charges in their order, computes everything on copies,
 * and writes the copies back if every enforced charge fits.
 *
 * <p>One object decides one ask. Charges that share an account form a chain: each takes the cost of the earlier ones
 * into account, and the last one's copy is written.
 */
final class JointCharges {
    /** The charges of an ask that a permit would hold. */
    private enum Held {
        NOTHING,
        /** Only slots of shadow policies. If there is no room for a permit, they are not counted. */
        SHADOW,
        ENFORCED
    }

    private static final int TRIES = 100;

    /** The retry time if no better estimate is known. */
    private static final long MIN_RETRY_MICROS = 1_000;

    private final Accounts accounts;
    private final Permits permits;
    private final WhenFull whenFull;
    private final Clock clock;
    private final Ask ask;
    private final int size;

    private final AccountAddress[] addresses;
    private final ChargeOrder order;
    private final @Nullable Account[] found;
    private final Snapshot[] states;

    /** The snapshot that the decision reports for each charge. */
    private final Snapshot[] reports;

    private final boolean[] store;

    /** The total cost of the chain up to and including this charge. */
    private final long[] asked;

    /** One bit per charge whose account could not be created. Such a charge is allowed and not counted. */
    private long uncounted;

    /** The permit without an id, if the ask is only reserved. */
    private @Nullable HeldPermit reservation;

    private long exceeded;
    private boolean denied;
    private long delayMicros;

    JointCharges(Accounts accounts, Permits permits, WhenFull whenFull, Clock clock, Ask ask) {
        this.accounts = accounts;
        this.permits = permits;
        this.whenFull = whenFull;
        this.clock = clock;
        this.ask = ask;
        this.size = ask.size();
        this.addresses = AccountAddress.all(ask);
        this.order = new ChargeOrder(ask, addresses);
        this.found = new Account[size];
        this.states = new Snapshot[size];
        this.reports = new Snapshot[size];
        this.store = new boolean[size];
        this.asked = new long[size];
    }

    Decision decide() {
        String permitId = null;
        Held wish = wishToHold();
        if (wish != Held.NOTHING) {
            long now = clock.micros();
            if (permits.haveRoom(PermitShares.accountsOf(ask, addresses), now)) {
                permitId = permits.newId();
            } else if (wish == Held.ENFORCED) {
                return full(now);
            }
        }
        return decide(permitId);
    }

    /** Decides the ask, and holds its charges without an id. Such a hold needs no room for a permit. */
    ReservedDecision reserve() {
        Decision decision = decide(HeldPermit.NAMELESS);
        return new ReservedDecision(decision, reservation == null ? null : new Reservation(reservation, clock));
    }

    /** @param permitId the id for everything that is held; null if nothing can be held */
    private Decision decide(@Nullable String permitId) {
        for (int i = 0; i < TRIES; i++) {
            find();
            Locks locks = new Locks(found);
            if (!locks.lock()) {
                continue; // one was evicted after it was found
            }
            try {
                Decision decision = accounts.areStillMissing(addresses, found) ? decideLocked(locks, permitId) : null;
                if (decision != null) {
                    return decision;
                }
            } finally {
                locks.unlock();
            }
        }
        return full(clock.micros());
    }

    /**
     * Decides with every existing account locked, and creates the missing ones in locked state. Locked accounts are
     * never evicted, so the accounts of one ask cannot evict one another. Returns null if another thread created one of
     * the accounts first.
     */
    private @Nullable Decision decideLocked(Locks locks, @Nullable String permitId) {
        while (true) {
            long now = clock.micros();
            evaluate(now);
            if (denied || ask.purpose() == Ask.Purpose.PEEK) {
                writeBack(); // writes only what must be stored whatever the outcome
                reportUnmade();
                return conclude(now, null);
            }
            if (!isAnyMissing()) {
                return conclude(now, make(permitId, now));
            }
            Accounts.Adding adding = addMissing(locks);
            if (adding == Accounts.Adding.NO_ROOM) {
                return full(now);
            }
            if (adding == Accounts.Adding.NOT_NEEDED) {
                return null;
            }
        }
    }

    private Held wishToHold() {
        if (ask.purpose() == Ask.Purpose.PEEK) {
            return Held.NOTHING;
        }
        Held wish = ask.hold() == null ? Held.NOTHING : Held.ENFORCED;
        for (int i = 0; i < size && wish != Held.ENFORCED; i++) {
            if (isHeld(i)) {
                wish = isEnforced(i) ? Held.ENFORCED : Held.SHADOW;
            }
        }
        return wish;
    }

    private boolean isHeld(int i) {
        return (ask.hold() != null && rule(i).canBeHeld())
                || ask.charge(i).limit().algorithm() instanceof Concurrency;
    }

    private void find() {
        for (int i = 0; i < size; i++) {
            found[i] = accounts.find(addresses[i]);
        }
    }

    /** Computes every charge on a copy, and determines which charges do not fit. */
    private void evaluate(long now) {
        exceeded = 0;
        denied = false;
        delayMicros = 0;
        for (int i : order.indexes()) {
            Rule rule = rule(i);
            int last = order.before(i);
            long cost = ask.charge(i).cost();
            long ahead = last == ChargeOrder.NONE ? 0 : asked[last];
            Snapshot state = new Snapshot(last == ChargeOrder.NONE ? stateOf(i, now) : states[last], cost, ahead);
            states[i] = state;
            store[i] = rule.advance(state, now);
            store[i] |= last != ChargeOrder.NONE && store[last];
            boolean fits = cost + ahead <= rule.capacity() && rule.fits(state, cost + ahead, now);
            long delay = fits ? rule.delayMicros(state, ahead, now) : 0;
            fits &= delay <= ask.maxDelayMicros();
            Charge charge = ask.charge(i);
            asked[i] = ShadowCharges.aheadOfNext(charge, ahead, fits);
            denied |= ShadowCharges.denies(charge, fits);
            if (fits) {
                delayMicros = Math.max(delayMicros, ShadowCharges.delayMicros(charge, delay));
            } else {
                exceeded |= 1L << i;
            }
        }
    }

    private State stateOf(int i, long now) {
        Account account = found[i];
        if (account == null) {
            return new State(rule(i));
        }
        Rule.expireHolds(account, now);
        return account;
    }

    /** Makes every charge that fits, one after the other, and writes the accounts. */
    private @Nullable PermitHandle make(@Nullable String permitId, long now) {
        long ttlMicros = permitTtlMicros();
        List<HeldPermit.Item> items = permitId == null ? List.of() : new ArrayList<>(size);
        reportRefused();
        for (int i : order.indexes()) {
            Rule rule = rule(i);
            Snapshot state = states[i];
            int last = order.before(i);
            if (last != ChargeOrder.NONE) {
                state.copyFrom(states[last]);
                rule.advance(state, now);
                store[i] |= store[last];
            }
            if (isExceeded(i)) {
                continue;
            }
            long cost = ask.charge(i).cost();
            Account account = found[i];
            if (!isHeld(i)) {
                rule.charge(state, cost, now);
                store[i] |= cost > 0;
            } else if (permitId != null && (cost == 0 || account != null)) {
                HeldCharge held = new HeldCharge(cost, ttlMicros, onExpiry(), now);
                if (cost > 0) {
                    rule.hold(state, held, now);
                    store[i] = true;
                }
                items.add(new HeldPermit.Item(
                        i,
                        addresses[i],
                        cost == 0 ? null : account,
                        ask.charge(i).limit().unit(),
                        held));
            }
            reports[i] = order.isBeforeAnother(i) ? state.frozenCopy(rule) : state;
        }
        writeBack();
        boolean holds = ask.hold() != null || !items.isEmpty();
        return permitId == null || !holds ? null : grant(permitId, items, ttlMicros, now);
    }

    /** Issues the permit. Returns null for a reservation, which its caller ends without an id. */
    private @Nullable PermitHandle grant(String permitId, List<HeldPermit.Item> items, long ttlMicros, long now) {
        if (permitId.equals(HeldPermit.NAMELESS)) {
            reservation = permits.reserve(items, ttlMicros, now);
            return null;
        }
        return permits.issue(permitId, PermitShares.accountsOf(ask, addresses), items, ttlMicros, now);
    }

    /** Reports every charge as it was evaluated, because none is made. */
    private void reportUnmade() {
        reportRefused();
        for (int i = 0; i < size; i++) {
            if (!isExceeded(i)) {
                reports[i] = states[i];
            }
        }
    }

    /** Reports the charges that do not fit as they were evaluated, before any charge is made. */
    private void reportRefused() {
        for (int i = 0; i < size; i++) {
            if (isExceeded(i)) {
                reports[i] = states[i].frozenRefusal(rule(i));
            }
        }
    }

    /** Writes each changed account. The last copy of a chain, which includes the earlier ones, is written last. */
    private void writeBack() {
        for (int i : order.indexes()) {
            Account account = found[i];
            if (account != null && store[i]) {
                account.copyFrom(states[i]);
            }
        }
    }

    private Decision conclude(long now, @Nullable PermitHandle grant) {
        for (int i = 0; i < size; i++) {
            reports[i].freeze(rule(i));
        }
        Evidence evidence = new Evidence(ask, reports, exceeded, now, DecidedBy.STORE);
        return denied ? new Denied(evidence) : new Allowed(evidence, delayMicros, grant);
    }

    private boolean isAnyMissing() {
        for (int i = 0; i < size; i++) {
            if (isMissing(i)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a charge will be made whose account does not exist yet. */
    private boolean isMissing(int i) {
        return found[i] == null && ask.charge(i).cost() > 0 && !isExceeded(i) && (uncounted >>> i & 1) == 0;
    }

    /** Adds the missing accounts. Returns {@code NOT_NEEDED} as soon as it finds that another thread has added one. */
    private Accounts.Adding addMissing(Locks locks) {
        for (int i = 0; i < size; i++) {
            if (!isMissing(i)) {
                continue;
            }
            Account fresh = new Account(addresses[i]);
            locks.lockNew(fresh);
            Accounts.Adding adding =
                    accounts.add(fresh, addresses[i], ask.charge(i).cost());
            if (adding == Accounts.Adding.NOT_NEEDED) {
                return adding;
            }
            if (adding == Accounts.Adding.ADDED) {
                findAt(addresses[i], fresh);
            } else if (whenFull != WhenFull.ALLOW && isEnforced(i)) {
                return adding;
            } else {
                accounts.noteUncounted();
                uncounted |= 1L << i;
            }
        }
        return Accounts.Adding.ADDED;
    }

    private void findAt(AccountAddress address, Account account) {
        for (int i = 0; i < size; i++) {
            if (addresses[i].isSameAs(address)) {
                found[i] = account;
            }
        }
    }

    private Decision full(long now) {
        accounts.noteDeniedFull();
        long due = accounts.firstDueMicros();
        Duration retry = Duration.of(
                due == Long.MAX_VALUE ? MIN_RETRY_MICROS : Math.max(MIN_RETRY_MICROS, due - now), ChronoUnit.MICROS);
        return new Denied(Evidence.none(ask, now, DecidedBy.STORE), Denied.Reason.STORE_FULL, retry);
    }

    /** Returns the shortest lifetime of everything that is held. */
    private long permitTtlMicros() {
        Hold hold = ask.hold();
        Duration shortest = hold == null ? Concurrency.LONGEST : hold.ttl();
        for (int i = 0; i < size; i++) {
            if (ask.charge(i).limit().algorithm() instanceof Concurrency slots
                    && !isExceeded(i)
                    && slots.ttl().compareTo(shortest) < 0) {
                shortest = slots.ttl();
            }
        }
        return shortest.toMillis() * 1_000;
    }

    private Hold.Expiry onExpiry() {
        Hold hold = ask.hold();
        return hold == null ? Hold.Expiry.KEEP_CHARGED : hold.onExpiry();
    }

    private Rule rule(int i) {
        return ask.charge(i).limit().rule();
    }

    private boolean isExceeded(int i) {
        return (exceeded >>> i & 1) != 0;
    }

    private boolean isEnforced(int i) {
        return ask.charge(i).isEnforced();
    }
}
