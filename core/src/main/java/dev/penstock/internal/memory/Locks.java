package dev.penstock.internal.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The locks of several accounts. Each is taken once, and all threads take them in the same order, so that no two
 * threads wait for each other.
 */
final class Locks {
    private final Account[] accounts;
    private int count;

    /** Prepares the locks of these accounts. Null accounts are left out, and repeated ones are locked once. */
    Locks(@Nullable Account[] wanted) {
        accounts = new Account[wanted.length];
        for (Account account : wanted) {
            if (account != null) {
                insert(account);
            }
        }
    }

    private void insert(Account account) {
        int at = count;
        while (at > 0) {
            if (accounts[at - 1] == account) {
                return;
            }
            if (Account.lockingOrder(accounts[at - 1], account) < 0) {
                break;
            }
            at--; // also for an account that replaced an evicted one with the same address
        }
        System.arraycopy(accounts, at, accounts, at + 1, count - at);
        accounts[at] = account;
        count++;
    }

    /** Locks all accounts. If one is dead, locks none and returns false. */
    boolean lock() {
        for (int i = 0; i < count; i++) {
            if (!accounts[i].lock()) {
                unlock(i);
                return false;
            }
        }
        return true;
    }

    /** Locks a new account that no other thread can have seen yet. It is unlocked with the others. */
    void lockNew(Account account) {
        account.lock();
        accounts[count++] = account;
    }

    /** Locks the accounts that are not evicted, and ignores the others. */
    void lockLiving() {
        int living = 0;
        for (int i = 0; i < count; i++) {
            if (accounts[i].lock()) {
                accounts[living++] = accounts[i];
            }
        }
        count = living;
    }

    boolean has(@Nullable Account account) {
        return Arrays.asList(accounts).subList(0, count).contains(account);
    }

    void unlock() {
        unlock(count);
    }

    private void unlock(int howMany) {
        for (int i = howMany - 1; i >= 0; i--) {
            accounts[i].unlock();
        }
    }
}
