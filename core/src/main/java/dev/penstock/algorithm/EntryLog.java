package dev.penstock.algorithm;

import java.util.Arrays;

/** The entries of a sliding log, oldest first: when, in ticks, and how much. A ring that grows as needed. */
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

    /** The sum of all entries, expired ones not yet dropped included. */
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

    /** Adds an entry at a time not before the last one's; entries of the same time become one. */
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

    /** Brings entries of the future to now: the clock went back. Answers whether there were any. */
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
