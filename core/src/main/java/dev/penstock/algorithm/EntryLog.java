package dev.penstock.algorithm;

import java.util.Arrays;

/**
 * The entries of a sliding log, oldest first. An entry is a time in ticks and an amount. A ring buffer that grows as
 * needed. Not thread-safe.
 */
public final class EntryLog {
    private long[] ticks = {};
    private long[] amounts = {};
    private int head;
    private int size;
    private long total;

    EntryLog() {}

    int size() {
        return size;
    }

    /** Returns the sum of all entries, including expired ones that have not been dropped. */
    long total() {
        return total;
    }

    long tick(int i) {
        return ticks[slot(i)];
    }

    long amount(int i) {
        return amounts[slot(i)];
    }

    void dropOldest(int count) {
        for (int i = 0; i < count; i++) {
            total -= amounts[head];
            head = slot(1);
            size--;
        }
    }

    /** Adds an entry. Its time must not be before that of the last entry. Entries with the same time are merged. */
    void append(long tick, long amount) {
        total += amount;
        if (size > 0 && tick(size - 1) == tick) {
            amounts[slot(size - 1)] += amount;
            return;
        }
        if (size == ticks.length) {
            grow();
        }
        size++;
        ticks[slot(size - 1)] = tick;
        amounts[slot(size - 1)] = amount;
    }

    /** Moves entries that are in the future to now, because the clock was set back. Returns whether there were any. */
    boolean repair(long nowTick) {
        boolean repaired = false;
        for (int i = size - 1; i >= 0 && tick(i) > nowTick; i--) {
            ticks[slot(i)] = nowTick;
            repaired = true;
        }
        return repaired;
    }

    private int slot(int i) {
        int at = head + i;
        return at < ticks.length ? at : at - ticks.length;
    }

    private void grow() {
        int length = Math.max(4, size * 2);
        long[] moreTicks = Arrays.copyOfRange(ticks, head, head + length);
        long[] moreAmounts = Arrays.copyOfRange(amounts, head, head + length);
        int tail = ticks.length - head;
        System.arraycopy(ticks, 0, moreTicks, tail, head);
        System.arraycopy(amounts, 0, moreAmounts, tail, head);
        ticks = moreTicks;
        amounts = moreAmounts;
        head = 0;
    }
}
