package dev.penstock.internal.memory;

import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key under one limit, with the lock that guards it.
 *
 * <p>The lock is a version number: even while free, odd while a thread writes. A reader copies the numbers and then
 * checks that the version is still the same even number. So a denial writes nothing that another processor would have
 * to fetch. A writer locks the account only if it still has the version that was read, so the lock is held only while
 * the new numbers are stored. An evicted account stays locked forever, and a thread that finds it looks up the key
 * again.
 */
final class Account extends State {
    /** The version of an evicted account. */
    private static final int DEAD = -1;

    /**
     * A bit of the version. It is set when the heap knows the account's current idle time, and the next write clears
     * it.
     */
    private static final int SCHEDULED = 1 << 30;

    private static final int SPINS_BEFORE_YIELD = 64;

    private static final VarHandle VERSION;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(Account.class, "version", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int hash;
    private final String counter;
    private final byte[] key;

    /** The next account in the same slot of the table. */
    volatile @Nullable Account next;

    @SuppressWarnings("unused") // accessed through VERSION
    private int version;

    Account(AccountAddress address) {
        super(address.rule);
        this.hash = address.hash;
        this.counter = address.counter;
        this.key = address.key;
    }

    boolean isOf(Set<String> counters) {
        return counters.contains(counter);
    }

    boolean isAt(AccountAddress address) {
        Rule mine = rule;
        return hash == address.hash
                && (mine == address.rule || mine.shape().equals(address.rule.shape()))
                && counter.equals(address.counter)
                && Arrays.equals(key, address.key);
    }

    /** Returns a version to read under. It is odd while a thread is writing. */
    int version() {
        return (int) VERSION.getAcquire(this);
    }

    static boolean isFree(int version) {
        return (version & 1) == 0;
    }

    /** Returns whether everything read since that version was taken is consistent. */
    boolean isStill(int seen) {
        VarHandle.acquireFence();
        return (int) VERSION.getOpaque(this) == seen;
    }

    /** Locks the account if no thread has written to it since that version. */
    boolean tryLock(int seen) {
        boolean locked = VERSION.compareAndSet(this, seen, seen + 1);
        VarHandle.storeStoreFence();
        return locked;
    }

    /** Copies the numbers into the account if no thread has written to it since that version. */
    boolean tryWrite(int seen, State numbers) {
        if (!tryLock(seen)) {
            return false;
        }
        copyFrom(numbers);
        VERSION.setRelease(this, after(seen + 1));
        return true;
    }

    /** Locks the account, waiting until it is free. Returns false if the account is dead. */
    @SuppressWarnings("ThreadPriorityCheck") // the holder may have lost its processor, so give it this one
    boolean lock() {
        for (int spins = 0; ; spins++) {
            int seen = version();
            if (seen == DEAD) {
                return false;
            }
            if (isFree(seen) && tryLock(seen)) {
                return true;
            }
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    void unlock() {
        int locked = (int) VERSION.getOpaque(this);
        VERSION.setRelease(this, after(locked));
    }

    /** Unlocks an account after its idle time was computed for the heap, and records that the heap knows that time. */
    void unlockScheduled() {
        int locked = (int) VERSION.getOpaque(this);
        VERSION.setRelease(this, after(locked) | SCHEDULED);
    }

    /** Returns whether the heap still knows the idle time of the account at that version. */
    static boolean isScheduled(int version) {
        return (version & SCHEDULED) != 0;
    }

    /**
     * Returns the next free version, without the bit {@link #SCHEDULED}. It is never negative, so it is never {@link #DEAD}.
     */
    private static int after(int locked) {
        return (locked + 1) & (SCHEDULED - 1);
    }

    /** Marks a locked account as evicted. No thread will lock it again. */
    void kill() {
        VERSION.setRelease(this, DEAD);
    }

    boolean isDead() {
        return version() == DEAD;
    }

    /** Compares accounts in an order in which any set of them can be locked without deadlock. */
    static int lockingOrder(Account x, Account y) {
        if (x == y) {
            return 0;
        }
        int order = Integer.compare(x.hash, y.hash);
        if (order == 0) {
            order = Arrays.compare(x.key, y.key);
        }
        if (order == 0) {
            order = x.counter.compareTo(y.counter);
        }
        return order == 0 ? x.rule.shape().compareTo(y.rule.shape()) : order;
    }
}
