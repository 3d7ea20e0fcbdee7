package dev.penstock.observe;

import dev.penstock.Key;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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
        private long count;
        private long over;
        private int at;

        Slot(Key key, int at) {
            this.key = key;
            this.at = at;
        }
    }

    private final Map<Key, Slot> slots;

    /** Heap-ordered by count: the least is the first. */
    private final Slot[] heap;

    private int size;
    private long all;

    SpaceSaving(int capacity) {
        this.slots = new HashMap<>(capacity * 2);
        this.heap = new Slot[capacity];
    }

    void add(Key key) {
        all++;
        Slot slot = slots.get(key);
        if (slot == null) {
            slot = size < heap.length ? taken(key) : takenOver(key);
        }
        slot.count++;
        sink(slot);
    }

    private Slot taken(Key key) {
        Slot slot = new Slot(key, size);
        heap[size++] = slot;
        rise(slot);
        slots.put(key, slot);
        return slot;
    }

    /** The place of whoever has the least: all of what it had may have been the other's. */
    private Slot takenOver(Key key) {
        Slot slot = heap[0];
        slots.remove(slot.key);
        slot.key = key;
        slot.over = slot.count;
        slots.put(key, slot);
        return slot;
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
