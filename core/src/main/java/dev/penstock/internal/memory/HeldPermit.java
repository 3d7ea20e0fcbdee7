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
 * A permit as the memory engine knows it: what it holds where, and how it ended.
 *
 * <p>Thread-safe: its monitor is held while it is settled or renewed, and inside it the locks of its accounts.
 */
final class HeldPermit implements ExpiringMap.Entry {
    /**
     * One held charge, its place in the ask, and where it is held.
     *
     * @param account null for a charge that is free, until there is something to spend
     */
    record Item(int index, AccountAddress address, @Nullable Account account, String unit, HeldCharge charge) {
        private Rule rule() {
            return address.rule;
        }

        private Item in(@Nullable Account other) {
            return new Item(index, address, other, unit, charge);
        }
    }

    /** The id of a permit that only the code that made it can end. */
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

    /** @param listing counts it among the permits of its accounts; null if it does not count */
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

    /** Whether it holds nothing any more: only how it ended is left to tell. */
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

    /** Ends the permit; a second time answers as the first. */
    synchronized Settlement settle(@Nullable Costs actual, Clock clock) {
        Settlement ended = ending;
        if (ended != null) {
            return ended;
        }
        Locks locks = lockLiving(item -> cost(item, actual));
        try {
            long now = clock.micros();
            boolean any = items.isEmpty() && now < expiryMicros;
            Costs charged = Costs.NONE;
            for (Item item : items) {
                if (isThere(item, locks, now)) {
                    settle(item, cost(item, actual), now);
                    any = true;
                    charged = with(charged, item, actual);
                }
            }
            return end(any ? Settlement.settled(charged) : Settlement.expired(), now);
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
     * Ends what was reserved only until the rest of a request was decided elsewhere. Slots of what is spent stay held; a
     * permit that holds nothing any more is forgotten at once.
     */
    synchronized ReservationOutcome conclude(ReservationOutcome.How how, Clock clock) {
        if (ending != null) {
            return ReservationOutcome.NOTHING;
        }
        boolean spent = how == ReservationOutcome.How.SPENT;
        Locks locks = lockLiving(item -> 0);
        try {
            long now = clock.micros();
            List<Item> kept = new ArrayList<>();
            List<Item> freed = new ArrayList<>(items.size());
            for (int i = items.size() - 1; i >= 0; i--) { // the last first: a turn is given back while nobody is behind
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
            List<ReservationOutcome.Seen> seen = new ArrayList<>(freed.size());
            for (Item item : freed) {
                seen.add(new ReservationOutcome.Seen(
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

    /** Spends the cost of an item that is not held any more; it fits where it was held. Answers how the account stands. */
    private static Snapshot afterwards(Item item, long cost, long now) {
        Snapshot state = stateOf(item, now);
        if (cost > 0) {
            item.rule().charge(state, cost, now);
            store(item, state);
        }
        return state.frozenCopy(item.rule());
    }

    /** Locks the accounts that live; first looks for those of free charges, and makes the ones in which something is spent. */
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
            locks.unlock(); // one was evicted since it was found
        }
    }

    private @Nullable Account place(AccountAddress address, long spent) {
        return spent > 0 ? accounts.findOrAdd(address, spent) : accounts.find(address);
    }

    /** Whether the hold is still there. A charge that is free holds nothing: it is there for as long as the permit. */
    private boolean isThere(Item item, Locks locks, long now) {
        Account account = item.account;
        if (account == null || !locks.has(account)) {
            return item.charge.isFree() && now < expiryMicros;
        }
        Rule.expireHolds(account, now);
        return item.charge.isFree() ? now < expiryMicros : Rule.isHeld(account, item.charge);
    }

    private static void settle(Item item, long actual, long now) {
        if (item.charge.isFree() && actual == 0) {
            return;
        }
        Snapshot state = stateOf(item, now);
        if (item.charge.isFree()) {
            item.rule().settleUnheld(state, actual, now);
        } else {
            item.rule().settle(state, item.charge, actual, now);
        }
        store(item, state);
    }

    private static void renew(Item item, long now) {
        if (!item.charge.isFree()) {
            Snapshot state = stateOf(item, now);
            Rule.renew(state, item.charge, now);
            store(item, state);
        }
    }

    /** The account's state at that time, under the limit that the charge was made under. */
    private static Snapshot stateOf(Item item, long now) {
        Account account = item.account;
        Snapshot state = new Snapshot(account == null ? new State(item.rule()) : account);
        item.rule().advance(state, now);
        return state;
    }

    /** Without an account there was no room for one: then nothing is counted. */
    private static void store(Item item, Snapshot state) {
        Account account = item.account;
        if (account != null) {
            account.copyFrom(state);
        }
    }

    private static long cost(Item item, @Nullable Costs actual) {
        long reserved = item.charge.amount();
        return actual == null ? reserved : actual.amount(item.unit, reserved);
    }

    /** The costs with what this item was charged; of several limits in one unit the largest is told. */
    private static Costs with(Costs charged, Item item, @Nullable Costs actual) {
        return item.unit.equals(Costs.SLOTS)
                ? charged
                : charged.and(item.unit, Math.max(charged.amount(item.unit, 0), cost(item, actual)));
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
