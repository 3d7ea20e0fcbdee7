package dev.penstock.spi;

/**
 * Opens the engine of a store by its address, for {@link dev.penstock.Penstock}. Modules with a store register an
 * implementation with {@link java.util.ServiceLoader}.
 *
 * <p>Implementations are thread-safe.
 */
public interface StoreProvider {
    /** Returns whether this provider opens addresses of this form, such as {@code redis://...}. Does not connect. */
    boolean opens(String uri);

    /**
     * Opens an engine without waiting for the store. If the store is down, the engine connects when the store is back.
     *
     * @throws IllegalArgumentException if an option is wrong; the message names it
     */
    Engine open(StoreOptions options);
}
