package dev.penstock.internal.memory;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.internal.algorithm.HeldCharge;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A permit as the memory engine knows it: what it holds where, and how it ended.
 *
 * <p>Thread-safe: its monitor is held while it is settled or renewed, and inside it the locks of its accounts.
 */
final class HeldPermit implements Remembered.Entry {
    /** One held charge, its place in the ask, and where it is held. */
    record Item(int index, Account account, Rule rule, String unit, HeldCharge charge) {}

    private final String id;
    private List<Item> items;
    private final long ttlMicros;
    private final long rememberMicros;
    private volatile long expiryMicros;
    private volatile long forgetAtMicros;
    private volatile @Nullable Settlement ending;

    HeldPermit(String id, List<Item> items, long ttlMicros, long rememberMicros, long nowMicros) {
        this.id = id;
        this.items = items;
        this.ttlMicros = ttlMicros;
        this.rememberMicros = rememberMicros;
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

    /** Ends the permit; a second time answers as the first. */
    synchronized Settlement settle(@Nullable Costs actual, Clock clock) {
        Settlement ended = ending;
        if (ended != null) {
            return ended;
        }
        Locks locks = lockLiving();
        try {
            long now = clock.micros();
            boolean any = items.isEmpty() && now < expiryMicros;
            Costs charged = Costs.NONE;
            for (Item item : items) {
                if (locks.has(item.account) && settle(item, cost(item, actual), now)) {
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
        Locks locks = lockLiving();
        try {
            long now = clock.micros();
            boolean any = items.isEmpty() && now < expiryMicros;
            for (Item item : items) {
                any |= locks.has(item.account) && renew(item, now);
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
    synchronized Concluded conclude(Concluded.How how, Clock clock) {
        if (ending != null) {
            return Concluded.NOTHING;
        }
        boolean spent = how == Concluded.How.SPENT;
        Locks locks = lockLiving();
        try {
            long now = clock.micros();
            List<Item> kept = new ArrayList<>();
            List<Item> freed = new ArrayList<>(items.size());
            for (int i = items.size() - 1; i >= 0; i--) { // the last first: a turn is given back while nobody is behind
                Item item = items.get(i);
                if (spent && item.unit.equals(Costs.SLOTS)) {
                    kept.add(item);
                } else if (locks.has(item.account)) {
                    boolean turn = spent && item.rule.spendsWhatIsHeld();
                    if (settle(item, turn ? item.charge.amount() : 0, now) && !turn) {
                        freed.add(item);
                    }
                }
            }
            Collections.reverse(freed);
            List<Concluded.Seen> seen = new ArrayList<>(freed.size());
            for (Item item : freed) {
                seen.add(new Concluded.Seen(item.index, afterwards(item, spent ? item.charge.amount() : 0, now), now));
            }
            items = kept;
            if (kept.isEmpty()) {
                end(Settlement.settled(Costs.NONE), now);
                forgetAtMicros = now;
            }
            return new Concluded(seen, !kept.isEmpty());
        } finally {
            locks.unlock();
        }
    }

    /** Spends the cost of an item that is not held any more; it fits where it was held. Answers how the account stands. */
    private static Snapshot afterwards(Item item, long cost, long now) {
        Snapshot state = new Snapshot(item.account);
        item.rule.advance(state, now);
        if (cost > 0) {
            item.rule.charge(state, cost, now);
            item.account.copyFrom(state);
        }
        return state.frozenCopy(item.rule);
    }

    private Locks lockLiving() {
        Locks locks = new Locks(items.stream().map(Item::account).toArray(Account[]::new));
        locks.lockLiving();
        return locks;
    }

    /** Settles one item where its hold is still there; else leaves the account alone. */
    private static boolean settle(Item item, long actual, long now) {
        Snapshot state = stateWithHold(item, now);
        if (state == null) {
            return false;
        }
        item.rule.settle(state, item.charge, actual, now);
        item.account.copyFrom(state);
        return true;
    }

    private static boolean renew(Item item, long now) {
        Snapshot state = stateWithHold(item, now);
        if (state == null) {
            return false;
        }
        Rule.renew(state, item.charge, now);
        item.account.copyFrom(state);
        return true;
    }

    /** The account's state at that time, under the limit that the hold was made under; null if the hold is gone. */
    private static @Nullable Snapshot stateWithHold(Item item, long now) {
        Rule.expireHolds(item.account, now);
        if (!Rule.isHeld(item.account, item.charge)) {
            return null;
        }
        Snapshot state = new Snapshot(item.account);
        item.rule.advance(state, now);
        return state;
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
        return how;
    }

    private void liveUntil(long micros) {
        expiryMicros = micros;
        forgetAtMicros = micros + rememberMicros;
    }
}
