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
 * A bounded map that forgets the oldest: two generations, of which the older is dropped whole when the younger has grown to
 * half of what may be kept. No order is kept, and a reader changes nothing. Thread-safe.
 */
public final class BoundedMap<K, V> {
    private final long mostOfOne;
    private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

    /** Keeps about so many. */
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

    /** The value of the key, which is young again; never two of one key, whoever else asks. */
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

    /** Forgets the key; answers what it had. */
    public synchronized @Nullable V remove(K key) {
        V older = old.remove(key);
        V younger = young.remove(key);
        return younger != null ? younger : older;
    }

    /** Forgets all keys of a kind, looking at each. */
    public synchronized void removeIf(Predicate<K> isMeant) {
        old.keySet().removeIf(isMeant);
        young.keySet().removeIf(isMeant);
    }

    public boolean isEmpty() {
        return young.isEmpty() && old.isEmpty();
    }

    /** Visits every key once, with what it has. */
    public void forEach(BiConsumer<K, V> visitor) {
        Map<K, V> younger = young;
        younger.forEach(visitor);
        old.forEach((key, value) -> {
            if (!younger.containsKey(key)) {
                visitor.accept(key, value);
            }
        });
    }

    /** All keys, the older generation first; one of both may come twice. */
    public Iterator<K> keys() {
        return Stream.concat(old.keySet().stream(), young.keySet().stream()).iterator();
    }
}
