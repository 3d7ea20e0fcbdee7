package dev.penstock.internal.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The locks of several accounts, each taken once and in their common order, so that no two callers wait for each other. */
final class Locks {
    private final Account[] accounts;
    private int count;

    /** For the accounts given; null ones are left out, repeated ones are locked once. */
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
            at--; // also beside one that was evicted from the same place
        }
        System.arraycopy(accounts, at, accounts, at + 1, count - at);
        accounts[at] = account;
        count++;
    }

    /** Locks all, or none and answers false where one is dead. */
    boolean lock() {
        for (int i = 0; i < count; i++) {
            if (!accounts[i].lock()) {
                unlock(i);
                return false;
            }
        }
        return true;
    }

    /** Locks an account that nobody else can have seen yet; it is unlocked with the others. */
    void lockNew(Account account) {
        account.lock();
        accounts[count++] = account;
    }

    /** Locks those that live. */
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
