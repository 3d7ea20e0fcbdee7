package dev.penstock.internal.guard;

import dev.penstock.internal.AccountName;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map by account that forgets the oldest: two generations, of which the older is dropped whole when the younger
 * has grown to half of what may be kept. No order is kept, and a reader changes nothing. Thread-safe.
 */
final class Generations<V> {
    private final long mostOfOne;
    private volatile ConcurrentHashMap<AccountName, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<AccountName, V> old = new ConcurrentHashMap<>();

    Generations(int most) {
        this.mostOfOne = Math.max(1, most / 2);
    }

    @Nullable
    V get(AccountName name) {
        V value = young.get(name);
        return value != null ? value : old.get(name);
    }

    void put(AccountName name, V value) {
        ConcurrentHashMap<AccountName, V> into = young;
        into.put(name, value);
        if (into.mappingCount() > mostOfOne) {
            growOld();
        }
    }

    /** The value of the account; never two of one account, whoever else asks. */
    V getOrAdd(AccountName name, Supplier<V> make) {
        V known = young.get(name);
        return known != null ? known : add(name, make);
    }

    private synchronized V add(AccountName name, Supplier<V> make) {
        V known = get(name);
        V value = known != null ? known : make.get();
        put(name, value);
        return value;
    }

    private synchronized void growOld() {
        if (young.mappingCount() > mostOfOne) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }

    synchronized void remove(AccountName name) {
        young.remove(name);
        old.remove(name);
    }

    boolean isEmpty() {
        return young.isEmpty() && old.isEmpty();
    }

    /** All accounts, the older generation first; one of both may come twice. */
    Iterator<AccountName> names() {
        return Stream.concat(old.keySet().stream(), young.keySet().stream()).iterator();
    }
}
