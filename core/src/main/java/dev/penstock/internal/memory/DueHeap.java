package dev.penstock.internal.memory;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * Accounts by the time at which each may have become idle, the earliest first: a binary heap.
 *
 * <p>Times are those known when an account was entered. They only ever move later, and are brought up to date when an
 * account comes to the top, so a decision never has to touch the heap. Not thread-safe.
 */
final class DueHeap {
    private long[] dueMicros = new long[4];
    private Account[] accounts = new Account[4];
    private int size;

    Account first() {
        return accounts[0];
    }

    /** The earliest time; {@link Long#MAX_VALUE} when there is none. */
    long firstDueMicros() {
        return size == 0 ? Long.MAX_VALUE : dueMicros[0];
    }

    void add(Account account, long due) {
        if (size == accounts.length) {
            int larger = size + (size >> 1);
            dueMicros = Arrays.copyOf(dueMicros, larger);
            accounts = Arrays.copyOf(accounts, larger);
        }
        int at = size++;
        while (at > 0 && dueMicros[(at - 1) >> 1] > due) {
            move((at - 1) >> 1, at);
            at = (at - 1) >> 1;
        }
        put(at, account, due);
    }

    /** Enters the first account again at a later time. */
    void postponeFirst(long due) {
        sink(0, accounts[0], due);
    }

    void removeFirst() {
        size--;
        Account last = accounts[size];
        long lastDue = dueMicros[size];
        Arrays.fill(accounts, size, size + 1, null);
        if (size > 0) {
            sink(0, last, lastDue);
        }
    }

    /** Asks for every account's time anew: after the clock went back none of those known means anything. */
    void refresh(ToLongFunction<Account> dueMicrosNow) {
        for (int i = 0; i < size; i++) {
            dueMicros[i] = dueMicrosNow.applyAsLong(accounts[i]);
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(i, accounts[i], dueMicros[i]);
        }
    }

    private void sink(int from, Account account, long due) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && dueMicros[child + 1] < dueMicros[child]) {
                child++;
            }
            if (dueMicros[child] >= due) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, account, due);
    }

    private void move(int from, int to) {
        put(to, accounts[from], dueMicros[from]);
    }

    private void put(int at, Account account, long due) {
        accounts[at] = account;
        dueMicros[at] = due;
    }
}
