package dev.penstock.internal.memory;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * A binary heap of accounts, ordered by the time at which each may be idle, earliest first.
 *
 * <p>An account's time is the one known when it was added. Real times only ever move later, and the heap updates an
 * account's time when the account reaches the top, so a decision never has to touch the heap. Accounts with equal times
 * (the end of a window is the same for all) are ordered by their addition. Not thread-safe.
 */
final class DueHeap {
    /** A time, and the number of the addition, which orders equal times. Numbers may wrap around. */
    record Due(long micros, int number) {
        static final Due NEVER = new Due(Long.MAX_VALUE, 0);

        boolean isBefore(Due other) {
            return DueHeap.isBefore(micros, number, other.micros, other.number);
        }
    }

    private long[] dueMicros = new long[4];
    private int[] numbers = new int[4];
    private Account[] accounts = new Account[4];
    private int size;

    Account first() {
        return accounts[0];
    }

    Due firstDue() {
        return size == 0 ? Due.NEVER : new Due(dueMicros[0], numbers[0]);
    }

    long firstDueMicros() {
        return size == 0 ? Long.MAX_VALUE : dueMicros[0];
    }

    void add(Account account, Due due) {
        if (size == accounts.length) {
            int larger = size + (size >> 1);
            dueMicros = Arrays.copyOf(dueMicros, larger);
            numbers = Arrays.copyOf(numbers, larger);
            accounts = Arrays.copyOf(accounts, larger);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >> 1;
            if (!isBefore(due.micros, due.number, dueMicros[parent], numbers[parent])) {
                break;
            }
            put(at, accounts[parent], dueMicros[parent], numbers[parent]);
            at = parent;
        }
        put(at, account, due.micros, due.number);
    }

    /** Moves the first account to a later time. */
    void postponeFirst(long micros) {
        sink(0, accounts[0], micros, numbers[0]);
    }

    void removeFirst() {
        size--;
        Account last = accounts[size];
        Arrays.fill(accounts, size, size + 1, null);
        if (size > 0) {
            sink(0, last, dueMicros[size], numbers[size]);
        }
    }

    /** Recomputes the time of every account. After the clock was set back, none of the known times is valid. */
    void refresh(ToLongFunction<Account> dueMicrosNow) {
        for (int i = 0; i < size; i++) {
            dueMicros[i] = dueMicrosNow.applyAsLong(accounts[i]);
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(i, accounts[i], dueMicros[i], numbers[i]);
        }
    }

    private void sink(int from, Account account, long micros, int number) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size
                    && isBefore(dueMicros[child + 1], numbers[child + 1], dueMicros[child], numbers[child])) {
                child++;
            }
            if (!isBefore(dueMicros[child], numbers[child], micros, number)) {
                break;
            }
            put(at, accounts[child], dueMicros[child], numbers[child]);
            at = child;
        }
        put(at, account, micros, number);
    }

    private void put(int at, Account account, long micros, int number) {
        accounts[at] = account;
        dueMicros[at] = micros;
        numbers[at] = number;
    }

    private static boolean isBefore(long micros, int number, long otherMicros, int otherNumber) {
        return micros < otherMicros || (micros == otherMicros && number - otherNumber < 0);
    }
}
