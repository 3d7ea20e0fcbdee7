package dev.penstock.internal.memory;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Things kept by name until a time that each of them tells, and at most so many: then the longest kept goes.
 *
 * <p>Needs no thread: every addition looks at the next two in turn and drops those whose time has come, so what is
 * forgotten late is at most as much as what is remembered. Thread-safe.
 */
final class Remembered<T extends Remembered.Entry> {
    /** Something that is kept until a time; the time may move. */
    interface Entry {
        String name();

        long forgetAtMicros();
    }

    private static final int LOOKS_PER_ADDITION = 2;

    private final Map<String, T> byName = new ConcurrentHashMap<>();
    private final Queue<T> turns = new ConcurrentLinkedQueue<>();
    private final int most;

    Remembered(int most) {
        this.most = most;
    }

    @Nullable
    T get(String name, long nowMicros) {
        T entry = byName.get(name);
        return entry == null || entry.forgetAtMicros() <= nowMicros ? null : entry;
    }

    /** Adds the entry unless one of its name is remembered: then answers that. */
    T addIfAbsent(T entry, long nowMicros) {
        forgetSome(nowMicros);
        while (true) {
            T there = byName.putIfAbsent(entry.name(), entry);
            if (there == null) {
                turns.add(entry);
                return entry;
            }
            if (there.forgetAtMicros() > nowMicros) {
                return there;
            }
            byName.remove(entry.name(), there);
        }
    }

    int size() {
        return byName.size();
    }

    private void forgetSome(long nowMicros) {
        for (int i = 0; i < LOOKS_PER_ADDITION; i++) {
            T next = turns.poll();
            if (next == null) {
                return;
            }
            if (next.forgetAtMicros() <= nowMicros || byName.size() >= most) {
                byName.remove(next.name(), next);
            } else {
                turns.add(next);
            }
        }
    }
}
