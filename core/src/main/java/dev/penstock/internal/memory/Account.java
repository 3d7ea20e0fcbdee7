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
 * <p>The lock is a version number: even while free, odd while someone writes. A reader copies the numbers and then checks
 * that the version is still the same even one, so a refusal writes nothing that another processor would have to fetch; a
 * writer takes the lock at the very version that it read, so the lock is held only for the few stores of the new numbers.
 * An account that was evicted is locked for ever: whoever finds it looks the key up again.
 */
final class Account extends State {
    /** The version of an evicted account. */
    private static final int DEAD = -1;

    /** A bit beside the version, until the next writer: the time at which the account will be idle has been told. */
    private static final int TOLD = 1 << 30;

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

    /** The next account in the same place of the table. */
    volatile @Nullable Account next;

    @SuppressWarnings("unused") // through VERSION
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

    /** A version to read under; odd when someone is writing. */
    int version() {
        return (int) VERSION.getAcquire(this);
    }

    static boolean isFree(int version) {
        return (version & 1) == 0;
    }

    /** Whether what was read since that version was taken belongs together. */
    boolean isStill(int seen) {
        VarHandle.acquireFence();
        return (int) VERSION.getOpaque(this) == seen;
    }

    /** Locks the account if nobody has written to it since that version. */
    boolean tryLock(int seen) {
        boolean locked = VERSION.compareAndSet(this, seen, seen + 1);
        VarHandle.storeStoreFence();
        return locked;
    }

    /** Takes over the numbers if nobody has written to the account since that version. */
    boolean tryWrite(int seen, State numbers) {
        if (!tryLock(seen)) {
            return false;
        }
        copyFrom(numbers);
        VERSION.setRelease(this, after(seen + 1));
        return true;
    }

    /** Locks the account, waiting for its turn; answers false if the account is dead. */
    @SuppressWarnings("ThreadPriorityCheck") // the holder may have lost its processor: let it have ours
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

    /** Unlocks an account that was only looked at, to tell when it will be idle. */
    void unlockTold() {
        int locked = (int) VERSION.getOpaque(this);
        VERSION.setRelease(this, after(locked) | TOLD);
    }

    /** Whether nobody has written to the account between the telling of its time and that version. */
    static boolean isTold(int version) {
        return (version & TOLD) != 0;
    }

    /** The version that follows, not told of; never negative, so never DEAD. */
    private static int after(int locked) {
        return (locked + 1) & (TOLD - 1);
    }

    /** Ends a locked account; nobody will lock it again. */
    void kill() {
        VERSION.setRelease(this, DEAD);
    }

    boolean isDead() {
        return version() == DEAD;
    }

    /** An order in which any set of accounts can be locked without deadlock. */
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
