package dev.penstock.internal.memory;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Things kept by name until a time that each of them tells, and at most so many: then those that can be spared go early.
 *
 * <p>Needs no thread: every addition looks at the next few in turn and drops those whose time has come, so what is
 * forgotten late is at most as much as what is remembered. Thread-safe.
 */
final class ExpiringMap<T extends ExpiringMap.Entry> {
    /** Something that is kept until a time; the time may move. */
    interface Entry {
        String name();

        long forgetAtMicros();

        /** Whether it may be forgotten before its time when there is no room. */
        boolean isSpare(long nowMicros);

        /** It is not remembered any more. */
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

    /** Adds the entry unless one of its name is remembered: then answers that. */
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

    /** Forgets what is due, and spares what can be if there is no room otherwise; answers whether there is room. */
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

    /** Forgets the entry before its time. */
    void forget(T entry) {
        if (byName.remove(entry.name(), entry)) {
            count.decrementAndGet();
            entry.onForgotten();
        }
    }
}
