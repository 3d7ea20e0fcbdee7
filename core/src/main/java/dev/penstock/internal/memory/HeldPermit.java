package dev.penstock.internal.memory;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.algorithm.HeldCharge;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A permit of the memory engine: what it holds in which accounts, and how it ended.
 *
 * <p>Thread-safe: its monitor is held while it is settled or renewed, and the locks of its accounts are taken inside
 * it.
 */
final class HeldPermit implements ExpiringMap.Entry {
    /**
     * One held charge, its place in the ask, and its account.
     *
     * @param account null for a charge of cost 0, until there is something to spend
     */
    record Item(int index, AccountAddress address, @Nullable Account account, String unit, HeldCharge charge) {
        private Rule rule() {
            return address.rule;
        }

        private Item in(@Nullable Account other) {
            return new Item(index, address, other, unit, charge);
        }
    }

    /** The id of a permit that only the code that created it can end. */
    static final String NAMELESS = "";

    private final String id;
    private final Accounts accounts;
    private List<Item> items;
    private final long ttlMicros;
    private final long rememberMicros;
    private final PermitShares.@Nullable Listing listing;
    private volatile long expiryMicros;
    private volatile long forgetAtMicros;
    private volatile @Nullable Settlement ending;

    /** @param listing counts the permit in its accounts; null if it is not counted */
    HeldPermit(
            String id,
            Accounts accounts,
            List<Item> items,
            long ttlMicros,
            long rememberMicros,
            PermitShares.@Nullable Listing listing,
            long nowMicros) {
        this.id = id;
        this.accounts = accounts;
        this.items = items;
        this.ttlMicros = ttlMicros;
        this.rememberMicros = rememberMicros;
        this.listing = listing;
        liveUntil(nowMicros + ttlMicros);
    }

    @Override
    public String name() {
        return id;
    }

    @Override
    public long forgetAtMicros() {
        return forgetAtMicros;
    }

    /** Returns whether the permit holds nothing any longer, and is kept only to repeat its final result. */
    @Override
    public boolean isSpare(long nowMicros) {
        return ending != null || nowMicros >= expiryMicros;
    }

    @Override
    public void onForgotten() {
        if (listing != null) {
            listing.end();
        }
    }

    /** Ends the permit. Later calls return the first result again. */
    synchronized Settlement settle(@Nullable Costs actual, Clock clock) {
        Settlement ended = ending;
        if (ended != null) {
            return ended;
        }
        Locks locks = lockLiving(item -> cost(item, actual));
        try {
            long now = clock.micros();
            boolean any = items.isEmpty() && now < expiryMicros;
            Settlement settled = Settlement.settled(Costs.NONE);
            for (Item item : items) {
                if (isThere(item, locks, now)) {
                    long cost = cost(item, actual);
                    long charged = settle(item, cost, now);
                    any = true;
                    settled = item.unit.equals(Costs.SLOTS) ? settled : settled.and(item.unit, cost, charged);
                }
            }
            return end(any ? settled : Settlement.expired(), now);
        } finally {
            locks.unlock();
        }
    }

    synchronized Settlement renew(Clock clock) {
        Settlement ended = ending;
        if (ended != null) {
            return ended;
        }
        Locks locks = lockLiving(item -> 0);
        try {
            long now = clock.micros();
            boolean any = items.isEmpty() && now < expiryMicros;
            for (Item item : items) {
                if (isThere(item, locks, now)) {
                    renew(item, now);
                    any = true;
                }
            }
            if (!any) {
                return end(Settlement.expired(), now);
            }
            liveUntil(now + ttlMicros);
            return Settlement.renewed(Instant.EPOCH.plus(expiryMicros, ChronoUnit.MICROS));
        } finally {
            locks.unlock();
        }
    }

    /**
     * Ends a reservation that was held until the rest of its request was decided elsewhere. If it is spent, its slots
     * stay held. A permit that holds nothing any longer is removed at once.
     */
    synchronized ReservationOutcome conclude(ReservationOutcome.Ending how, Clock clock) {
        if (ending != null) {
            return ReservationOutcome.NOTHING;
        }
        boolean spent = how == ReservationOutcome.Ending.SPENT;
        Locks locks = lockLiving(item -> 0);
        try {
            long now = clock.micros();
            List<Item> kept = new ArrayList<>();
            List<Item> freed = new ArrayList<>(items.size());
            // in reverse order, because a turn is given back only if nobody is behind it
            for (int i = items.size() - 1; i >= 0; i--) {
                Item item = items.get(i);
                if (spent && item.unit.equals(Costs.SLOTS)) {
                    kept.add(item);
                } else if (isThere(item, locks, now)) {
                    boolean turn = spent && item.rule().spendsWhatIsHeld();
                    settle(item, turn ? item.charge.amount() : 0, now);
                    if (!turn) {
                        freed.add(item);
                    }
                }
            }
            Collections.reverse(freed);
            List<ReservationOutcome.AccountState> seen = new ArrayList<>(freed.size());
            for (Item item : freed) {
                seen.add(new ReservationOutcome.AccountState(
                        item.index, afterwards(item, spent ? item.charge.amount() : 0, now), now));
            }
            items = kept;
            if (kept.isEmpty()) {
                end(Settlement.settled(Costs.NONE), now);
                forgetAtMicros = now;
            }
            return new ReservationOutcome(seen, !kept.isEmpty());
        } finally {
            locks.unlock();
        }
    }

    /**
     * Spends the cost of an item that was held until now, so that the cost fits. Returns the account's state after
     * that.
     */
    private static Snapshot afterwards(Item item, long cost, long now) {
        Snapshot state = stateOf(item, now);
        if (cost > 0) {
            item.rule().charge(state, cost, now);
            store(item, state);
        }
        return state.frozenCopy(item.rule());
    }

    /**
     * Locks the accounts that are not evicted. First looks up the accounts of charges of cost 0, and creates those in
     * which something will be spent.
     */
    private Locks lockLiving(ToLongFunction<Item> spent) {
        while (true) {
            items = items.stream()
                    .map(item -> item.charge.isFree() ? item.in(place(item.address, spent.applyAsLong(item))) : item)
                    .toList();
            Locks locks = new Locks(items.stream().map(Item::account).toArray(Account[]::new));
            locks.lockLiving();
            if (items.stream()
                    .allMatch(item -> !item.charge.isFree() || item.account == null || locks.has(item.account))) {
                return locks;
            }
            locks.unlock(); // one was evicted after it was found
        }
    }

    private @Nullable Account place(AccountAddress address, long spent) {
        return spent > 0 ? accounts.findOrAdd(address, spent) : accounts.find(address);
    }

    /** Returns whether the hold still exists. A charge of cost 0 holds nothing and exists as long as the permit. */
    private boolean isThere(Item item, Locks locks, long now) {
        Account account = item.account;
        if (account == null || !locks.has(account)) {
            return item.charge.isFree() && now < expiryMicros;
        }
        Rule.expireHolds(account, now);
        return item.charge.isFree() ? now < expiryMicros : Rule.isHeld(account, item.charge);
    }

    /** Returns the amount that was charged. */
    private static long settle(Item item, long actual, long now) {
        if (item.charge.isFree() && actual == 0) {
            return 0;
        }
        Snapshot state = stateOf(item, now);
        long charged = item.charge.isFree()
                ? item.rule().settleUnheld(state, actual, now)
                : item.rule().settle(state, item.charge, actual, now);
        return store(item, state) ? charged : 0;
    }

    private static void renew(Item item, long now) {
        if (!item.charge.isFree()) {
            Snapshot state = stateOf(item, now);
            Rule.renew(state, item.charge, now);
            store(item, state);
        }
    }

    /** Returns the account's state at this time, under the limit of the original charge. */
    private static Snapshot stateOf(Item item, long now) {
        Account account = item.account;
        Snapshot state = new Snapshot(account == null ? new State(item.rule()) : account);
        item.rule().advance(state, now);
        return state;
    }

    /** Stores the state, and returns true. If there was no room for an account, nothing is stored or counted. */
    private static boolean store(Item item, Snapshot state) {
        Account account = item.account;
        if (account != null) {
            account.copyFrom(state);
        }
        return account != null;
    }

    private static long cost(Item item, @Nullable Costs actual) {
        long reserved = item.charge.amount();
        return actual == null ? reserved : actual.amount(item.unit, reserved);
    }

    private Settlement end(Settlement how, long now) {
        ending = how;
        items = List.of();
        forgetAtMicros = now + rememberMicros;
        if (listing != null) {
            listing.end();
        }
        return how;
    }

    private void liveUntil(long micros) {
        expiryMicros = micros;
        forgetAtMicros = micros + rememberMicros;
        if (listing != null) {
            listing.liveUntil(micros);
        }
    }
}
