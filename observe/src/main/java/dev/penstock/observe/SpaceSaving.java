package dev.penstock.observe;

import dev.penstock.spi.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who occurs most often in a stream, in bounded memory: the summary Space-Saving of Metwally, Agrawal and El Abbadi.
 *
 * <p>Of every key that it keeps it knows a count that is never too low, and by how much at most it is too high; what it does
 * not keep occurred {@link #least} times at most. Neither is ever above the number of all occurrences over the capacity, so
 * whoever has a larger share than one in capacity is kept. Not thread-safe.
 */
final class SpaceSaving {
    private static final class Slot {
        private Key key;
        private int hash;
        private long count;
        private long over;
        private int at;

        /** The next whose hash leads to the same place. */
        private @Nullable Slot next;

        Slot(Key key, int hash, int at) {
            this.key = key;
            this.hash = hash;
            this.at = at;
        }
    }

    /** All slots by the hashes of their keys. A map of objects would make one for every key that comes and goes. */
    private final @Nullable Slot[] places;

    /** Heap-ordered by count: the least is the first. */
    private final Slot[] heap;

    private int size;
    private long all;

    SpaceSaving(int capacity) {
        this.places = new Slot[Integer.highestOneBit(capacity) * 4];
        this.heap = new Slot[capacity];
    }

    /** @param hash that of the key */
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

    /** The place of whoever has the least: all of what it had may have been the other's. */
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

    /** How many occurrences there were. */
    long all() {
        return all;
    }

    /** How often one that is not kept may have occurred. */
    long least() {
        return size < heap.length ? 0 : heap[0].count;
    }

    void forEach(Visitor visitor) {
        for (Slot slot : Arrays.copyOf(heap, size)) {
            visitor.visit(slot.key, slot.count, slot.over);
        }
    }

    /** Is told of a key, its count, and by how much at most that is too high. */
    interface Visitor {
        void visit(Key key, long count, long over);
    }
}
