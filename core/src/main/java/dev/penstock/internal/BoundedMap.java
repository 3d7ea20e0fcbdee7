package dev.penstock.internal;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map that forgets its oldest entries. It has two generations. When the younger one has grown to half of the
 * maximum, the older one is dropped. No order is kept, and reading changes nothing. Thread-safe.
 */
public final class BoundedMap<K, V> {
    private final long mostOfOne;
    private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

    /** Creates a map that keeps about this many entries. */
    public BoundedMap(int most) {
        this.mostOfOne = Math.max(1, most / 2);
    }

    public @Nullable V get(K key) {
        V value = young.get(key);
        return value != null ? value : old.get(key);
    }

    public void put(K key, V value) {
        ConcurrentHashMap<K, V> into = young;
        into.put(key, value);
        if (into.mappingCount() > mostOfOne) {
            growOld();
        }
    }

    /**
     * Returns the value of the key and moves it to the younger generation. Concurrent callers never get two different
     * values of one key.
     */
    public V getOrAdd(K key, Supplier<V> make) {
        V known = young.get(key);
        return known != null ? known : add(key, make);
    }

    private synchronized V add(K key, Supplier<V> make) {
        V known = get(key);
        V value = known != null ? known : make.get();
        put(key, value);
        return value;
    }

    private synchronized void growOld() {
        if (young.mappingCount() > mostOfOne) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }

    /** Removes the key and returns its value. */
    public synchronized @Nullable V remove(K key) {
        V older = old.remove(key);
        V younger = young.remove(key);
        return younger != null ? younger : older;
    }

    /** Removes all keys that the condition accepts. Scans all keys. */
    public synchronized void removeIf(Predicate<K> isMeant) {
        old.keySet().removeIf(isMeant);
        young.keySet().removeIf(isMeant);
    }

    public boolean isEmpty() {
        return young.isEmpty() && old.isEmpty();
    }

    /** Visits every entry once. */
    public void forEach(BiConsumer<K, V> visitor) {
        Map<K, V> younger = young;
        younger.forEach(visitor);
        old.forEach((key, value) -> {
            if (!younger.containsKey(key)) {
                visitor.accept(key, value);
            }
        });
    }

    /** Returns all keys, those of the older generation first. A key that is in both generations comes twice. */
    public Iterator<K> keys() {
        return Stream.concat(old.keySet().stream(), young.keySet().stream()).iterator();
    }
}
