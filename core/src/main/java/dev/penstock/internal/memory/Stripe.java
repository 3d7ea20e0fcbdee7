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
 * One part of the accounts: a chained hash table that is read without a lock, and the heap from which idle accounts go.
 *
 * <p>Everything that adds or removes holds the stripe's monitor. A reader without it may, while the table grows or an
 * account is taken out, miss an account that is there, but never loop nor find one twice; so only a hit counts, and a
 * miss is looked up again under the monitor.
 */
final class Stripe {
    private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Account[].class);

    /** For how long an account is left alone that was found in use: others have their turn to be evicted. */
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

    /** An account found without a lock; null says nothing. */
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

    /** Adds the account, expected to be idle at {@code due}, unless there is one of its key by now: then answers that. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the monitor only
    synchronized Account addIfAbsent(Account account, AccountAddress address, DueHeap.Due due) {
        Account found = glimpse(address);
        if (found != null) {
            return found;
        }
        if (2 * size >= table.length) { // half empty: a second account in a place is a second miss of the cache
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

    /** Changes whenever an account is added: what was missing before and while it stood is missing still. */
    int additions() {
        return additions;
    }

    synchronized DueHeap.Due firstDue() {
        return heap.firstDue();
    }

    /** Evicts an account that has been idle for that long, if there is one among the first {@code looks} that may be. */
    synchronized boolean evictIdle(long sparedMicros, int looks) {
        // Read here, not by the caller: a thread that was held up must not look like a clock that went back.
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

    /** When the first account may be idle that is not in use at this moment. */
    synchronized DueHeap.Due firstFreeDue() {
        List<InUse> aside = setAside();
        DueHeap.Due due = heap.firstDue();
        putBack(aside);
        return due;
    }

    /** Evicts the first account that is not in use if its time is not later than that, idle or not. */
    synchronized boolean evictFirst(long dueMicros) {
        List<InUse> aside = setAside();
        boolean evicted = heap.firstDueMicros() <= dueMicros && heap.first() != null && lookAtFirst(dueMicros);
        putBack(aside);
        return evicted;
    }

    /** Takes what is in use from the top: the accounts of one ask must not drive each other out. */
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

    /** Brings the first account's time up to date; evicts it if that is not later than {@code evictUpTo}. */
    private boolean lookAtFirst(long evictUpTo) {
        Account first = heap.first();
        int seen = first.version();
        if (!Account.isFree(seen) || !first.tryLock(seen)) {
            heap.postponeFirst(clock.micros() + IN_USE_MICROS);
            return false;
        }
        long due = Long.MAX_VALUE;
        try {
            due = Account.isTold(seen)
                    ? dueAsTold(first, heap.firstDueMicros(), clock.micros())
                    : dueMicros(first, clock.micros());
        } finally {
            if (due > evictUpTo) {
                first.unlockTold();
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

    /** The account's time seen from after the clock went back. It is not repaired: that is for whoever reads it. */
    private long refreshedDueMicros(Account account) {
        int seen = account.version();
        if (!Account.isFree(seen) || !account.tryLock(seen)) {
            return clock.micros() + IN_USE_MICROS;
        }
        try {
            return dueMicros(account, clock.micros());
        } finally {
            account.unlockTold();
        }
    }

    /**
     * When the account, which is locked, will be idle that nobody wrote to since it was told: at that very time. Seen from now,
     * what a clock gone back left in the future would always be a whole term off.
     */
    private static long dueAsTold(Account account, long toldMicros, long nowMicros) {
        EntriesAndHolds extra = account.extra;
        if (extra == null || extra.holds().isEmpty() || toldMicros > nowMicros) {
            return toldMicros;
        }
        Rule.expireHolds(account, nowMicros);
        return dueMicros(account, nowMicros);
    }

    /** When the account, which is locked, will be idle; not after now if it is. */
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
