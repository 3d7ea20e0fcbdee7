package dev.penstock.internal.memory;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A map of named entries, each kept until its own time, up to a maximum number. If there is no room, entries that can
 * be spared are removed early.
 *
 * <p>It needs no thread: every addition checks the next few entries and removes those whose time has come. So there are
 * never more overdue entries than current ones. Thread-safe.
 */
final class ExpiringMap<T extends ExpiringMap.Entry> {
    /** An entry that is kept until a time. The time may change. */
    interface Entry {
        String name();

        long forgetAtMicros();

        /** Returns whether the entry may be removed before its time if there is no room. */
        boolean isSpare(long nowMicros);

        /** Called when the entry was removed. */
        default void onForgotten() {}
    }

    private static final int LOOKS = 2;
    private static final int LOOKS_WHEN_FULL = 64;

    private final Map<String, T> byName = new ConcurrentHashMap<>();
    private final Queue<T> turns = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final int most;

    ExpiringMap(int most) {
        this.most = most;
    }

    @Nullable
    T get(String name, long nowMicros) {
        T entry = byName.get(name);
        return entry == null || entry.forgetAtMicros() <= nowMicros ? null : entry;
    }

    /** Adds the entry, unless there is a current one with its name. Returns the entry that is in the map. */
    T addIfAbsent(T entry, long nowMicros) {
        while (true) {
            T there = byName.putIfAbsent(entry.name(), entry);
            if (there == null) {
                count.incrementAndGet();
                turns.add(entry);
                return entry;
            }
            if (there.forgetAtMicros() > nowMicros) {
                return there;
            }
            forget(there);
        }
    }

    /** Removes overdue entries, and spare ones if there is no room otherwise. Returns whether there is room. */
    boolean makeRoom(long nowMicros) {
        boolean full = count.get() >= most;
        for (int i = 0; i < (full ? LOOKS_WHEN_FULL : LOOKS); i++) {
            T next = turns.poll();
            if (next == null) {
                break;
            }
            if (next.forgetAtMicros() <= nowMicros || (count.get() >= most && next.isSpare(nowMicros))) {
                forget(next);
            } else {
                turns.add(next);
            }
        }
        return count.get() < most;
    }

    /** Removes the entry before its time. */
    void forget(T entry) {
        if (byName.remove(entry.name(), entry)) {
            count.decrementAndGet();
            entry.onForgotten();
        }
    }
}
