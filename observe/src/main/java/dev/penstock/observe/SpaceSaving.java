package dev.penstock.observe;

import dev.penstock.spi.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the most frequent keys of a stream in bounded memory, with the Space-Saving summary by Metwally, Agrawal and El
 * Abbadi.
 *
 * <p>For every key that it keeps, the count is never too low, and a bound says by how much it may be too high. A key
 * that it does not keep occurred at most {@link #least} times. Both are at most the number of all occurrences divided
 * by the capacity, so any key with a share above 1/capacity is kept. Not thread-safe.
 */
final class SpaceSaving {
    private static final class Slot {
        private Key key;
        private int hash;
        private long count;
        private long over;
        private int at;

        /** The next slot with the same hash bucket. */
        private @Nullable Slot next;

        Slot(Key key, int hash, int at) {
            this.key = key;
            this.hash = hash;
            this.at = at;
        }
    }

    /**
     * All slots by the hashes of their keys. A {@code HashMap} would allocate an entry for every key that comes and
     * goes.
     */
    private final @Nullable Slot[] places;

    /** A heap by count, with the smallest first. */
    private final Slot[] heap;

    private int size;
    private long all;

    SpaceSaving(int capacity) {
        this.places = new Slot[Integer.highestOneBit(capacity) * 4];
        this.heap = new Slot[capacity];
    }

    /**
     * Counts one occurrence.
     *
     * @param hash the key's hash
     */
    void add(Key key, int hash) {
        all++;
        Slot slot = find(key, hash);
        if (slot == null) {
            slot = size < heap.length ? taken(key, hash) : takenOver(key, hash);
        }
        slot.count++;
        sink(slot);
    }

    private @Nullable Slot find(Key key, int hash) {
        Slot slot = places[place(hash)];
        while (slot != null && !(slot.hash == hash && slot.key.equals(key))) {
            slot = slot.next;
        }
        return slot;
    }

    private int place(int hash) {
        return (hash ^ (hash >>> 16)) & (places.length - 1);
    }

    private Slot taken(Key key, int hash) {
        Slot slot = new Slot(key, hash, size);
        heap[size++] = slot;
        rise(slot);
        putIn(slot);
        return slot;
    }

    /**
     * Replaces the key with the smallest count. The new key inherits that count, because all of those occurrences may
     * have been its own.
     */
    private Slot takenOver(Key key, int hash) {
        Slot slot = heap[0];
        takeOut(slot);
        slot.key = key;
        slot.hash = hash;
        slot.over = slot.count;
        putIn(slot);
        return slot;
    }

    private void putIn(Slot slot) {
        int place = place(slot.hash);
        slot.next = places[place];
        places[place] = slot;
    }

    private void takeOut(Slot slot) {
        int place = place(slot.hash);
        Slot before = places[place];
        if (before == slot) {
            places[place] = slot.next;
            return;
        }
        while (before != null && before.next != slot) {
            before = before.next;
        }
        if (before != null) {
            before.next = slot.next;
        }
    }

    private void rise(Slot slot) {
        while (slot.at > 0 && heap[(slot.at - 1) / 2].count > slot.count) {
            swap(slot, heap[(slot.at - 1) / 2]);
        }
    }

    private void sink(Slot slot) {
        for (Slot child = leastChild(slot); child != null && child.count < slot.count; child = leastChild(slot)) {
            swap(slot, child);
        }
    }

    private @Nullable Slot leastChild(Slot slot) {
        int left = slot.at * 2 + 1;
        if (left >= size) {
            return null;
        }
        int right = left + 1;
        return right < size && heap[right].count < heap[left].count ? heap[right] : heap[left];
    }

    private void swap(Slot one, Slot other) {
        int at = one.at;
        one.at = other.at;
        other.at = at;
        heap[one.at] = one;
        heap[other.at] = other;
    }

    /** Returns the number of all occurrences. */
    long all() {
        return all;
    }

    /** Returns how often a key that is not kept may have occurred. */
    long least() {
        return size < heap.length ? 0 : heap[0].count;
    }

    void forEach(Visitor visitor) {
        for (Slot slot : Arrays.copyOf(heap, size)) {
            visitor.visit(slot.key, slot.count, slot.over);
        }
    }

    /** Receives a key, its count, and by how much the count may be too high. */
    interface Visitor {
        void visit(Key key, long count, long over);
    }
}
