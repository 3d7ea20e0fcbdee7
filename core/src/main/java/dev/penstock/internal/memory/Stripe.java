package dev.penstock.internal.memory;

import dev.penstock.Clock;
import dev.penstock.algorithm.EntriesAndHolds;
import dev.penstock.algorithm.Rule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One part of the accounts: a chained hash table that is read without a lock, and a heap from which idle accounts are
 * evicted.
 *
 * <p>Additions and removals hold the stripe's monitor. A reader without the monitor may miss an existing account while
 * the table grows or an account is removed, but it never loops and never finds an account twice. So only a hit is
 * reliable, and a miss is looked up again under the monitor.
 */
final class Stripe {
    private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Account[].class);

    /** An account that was found in use is left alone for this time, so that others are considered for eviction. */
    private static final long IN_USE_MICROS = 1_000_000;

    private record InUse(Account account, DueHeap.Due due) {}

    private final Clock clock;
    private final DueHeap heap = new DueHeap();
    private volatile Account[] table = new Account[4];
    private int size;
    private volatile int additions;
    private long lastLookMicros;

    Stripe(Clock clock) {
        this.clock = clock;
    }

    /** Returns an account without taking a lock. Null does not mean that the account is missing. */
    @Nullable
    Account glimpse(AccountAddress address) {
        Account[] places = table;
        Account at = (Account) PLACES.getAcquire(places, address.hash & (places.length - 1));
        while (at != null && !at.isAt(address)) {
            at = at.next;
        }
        return at;
    }

    synchronized @Nullable Account find(AccountAddress address) {
        return glimpse(address);
    }

    /**
     * Adds the account, which is expected to be idle at {@code due}, unless there is already one at the address.
     * Returns the account that is in the table.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the monitor only
    synchronized Account addIfAbsent(Account account, AccountAddress address, DueHeap.Due due) {
        Account found = glimpse(address);
        if (found != null) {
            return found;
        }
        if (2 * size >= table.length) { // kept half empty, because a second account in a slot costs a second cache miss
            grow();
        }
        Account[] places = table;
        int place = account.hash & (places.length - 1);
        account.next = places[place];
        PLACES.setRelease(places, place, account);
        size++;
        additions++;
        heap.add(account, due);
        return account;
    }

    synchronized void addOfCounters(Set<String> counters, List<Account> into) {
        for (Account head : table) {
            for (Account at = head; at != null; at = at.next) {
                if (at.isOf(counters)) {
                    into.add(at);
                }
            }
        }
    }

    /**
     * Returns a number that changes whenever an account is added. An account that was missing is still missing as long
     * as the number has not changed.
     */
    int additions() {
        return additions;
    }

    synchronized DueHeap.Due firstDue() {
        return heap.firstDue();
    }

    /** Evicts an account that has been idle for at least this time, if one of the first {@code looks} candidates is. */
    synchronized boolean evictIdle(long sparedMicros, int looks) {
        // Read here, not by the caller, so that a delayed thread does not look like a clock that was set back.
        long now = clock.micros();
        if (now < lastLookMicros) {
            heap.refresh(this::refreshedDueMicros);
        }
        lastLookMicros = now;
        for (int i = 0; i < looks && heap.firstDueMicros() <= now - sparedMicros; i++) {
            if (lookAtFirst(now - sparedMicros)) {
                return true;
            }
        }
        return false;
    }

    /** Returns when the first account that is not in use right now may be idle. */
    synchronized DueHeap.Due firstFreeDue() {
        List<InUse> aside = setAside();
        DueHeap.Due due = heap.firstDue();
        putBack(aside);
        return due;
    }

    /** Evicts the first account that is not in use, idle or not, if its time is not after this one. */
    synchronized boolean evictFirst(long dueMicros) {
        List<InUse> aside = setAside();
        boolean evicted = heap.firstDueMicros() <= dueMicros && heap.first() != null && lookAtFirst(dueMicros);
        putBack(aside);
        return evicted;
    }

    /**
     * Removes the accounts that are in use from the top of the heap, because the accounts of one ask must not evict one
     * another.
     */
    private List<InUse> setAside() {
        List<InUse> aside = List.of();
        while (heap.first() != null && !Account.isFree(heap.first().version())) {
            if (aside.isEmpty()) {
                aside = new ArrayList<>();
            }
            aside.add(new InUse(heap.first(), heap.firstDue()));
            heap.removeFirst();
        }
        return aside;
    }

    private void putBack(List<InUse> aside) {
        for (InUse account : aside) {
            heap.add(account.account, account.due);
        }
    }

    /** Updates the first account's time, and evicts the account if that time is not after {@code evictUpTo}. */
    private boolean lookAtFirst(long evictUpTo) {
        Account first = heap.first();
        int seen = first.version();
        if (!Account.isFree(seen) || !first.tryLock(seen)) {
            heap.postponeFirst(clock.micros() + IN_USE_MICROS);
            return false;
        }
        long due = Long.MAX_VALUE;
        try {
            due = Account.isScheduled(seen)
                    ? dueAsScheduled(first, heap.firstDueMicros(), clock.micros())
                    : dueMicros(first, clock.micros());
        } finally {
            if (due > evictUpTo) {
                first.unlockScheduled();
            }
        }
        if (due > evictUpTo) {
            heap.postponeFirst(due);
            return false;
        }
        heap.removeFirst();
        unlink(first);
        size--;
        first.kill();
        return true;
    }

    /**
     * Returns the account's time as computed after the clock was set back. The account is not repaired, which is left
     * to its next reader.
     */
    private long refreshedDueMicros(Account account) {
        int seen = account.version();
        if (!Account.isFree(seen) || !account.tryLock(seen)) {
            return clock.micros() + IN_USE_MICROS;
        }
        try {
            return dueMicros(account, clock.micros());
        } finally {
            account.unlockScheduled();
        }
    }

    /**
     * Returns when the account, which is locked, will be idle if no thread has written to it since the heap learned its
     * time: at that same time. Computed from now, a state that is in the future because the clock was set back would
     * always seem a whole period away.
     */
    private static long dueAsScheduled(Account account, long scheduledMicros, long nowMicros) {
        EntriesAndHolds extra = account.extra;
        if (extra == null || extra.holds().isEmpty() || scheduledMicros > nowMicros) {
            return scheduledMicros;
        }
        Rule.expireHolds(account, nowMicros);
        return dueMicros(account, nowMicros);
    }

    /** Returns when the account, which is locked, will be idle. The result is not after now if it already is. */
    private static long dueMicros(Account account, long nowMicros) {
        EntriesAndHolds extra = account.extra;
        if (extra != null && extra.holds().earliestMicros() <= nowMicros) {
            Rule.expireHolds(account, nowMicros);
        }
        return extra == null || extra.holds().isEmpty()
                ? account.rule.idleAtMicros(account, nowMicros)
                : extra.holds().earliestFrom(nowMicros);
    }

    private void unlink(Account gone) {
        Account[] places = table;
        int place = gone.hash & (places.length - 1);
        Account at = places[place];
        if (at == gone) {
            PLACES.setRelease(places, place, gone.next);
            return;
        }
        while (at != null && at.next != gone) {
            at = at.next;
        }
        if (at != null) {
            at.next = gone.next;
        }
    }

    private void grow() {
        Account[] old = table;
        Account[] larger = new Account[old.length * 2];
        for (Account head : old) {
            Account at = head;
            while (at != null) {
                Account following = at.next;
                int place = at.hash & (larger.length - 1);
                at.next = larger[place];
                larger[place] = at;
                at = following;
            }
        }
        table = larger;
    }
}
