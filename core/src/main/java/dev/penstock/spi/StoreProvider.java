package dev.penstock.spi;

/**
 * Opens the engine of a store by its address, for {@link dev.penstock.Penstock}. Modules that bring a store register theirs with
 * {@link java.util.ServiceLoader}.
 *
 * <p>Implementations are thread-safe.
 */
public interface StoreProvider {
    /** Returns whether this provider opens addresses of this form: {@code redis://...}. Connects to nothing. */
    boolean opens(String uri);

    /**
     * Opens an engine without waiting for the store: an engine whose store is away connects when it returns.
     *
     * @throws IllegalArgumentException if an option is wrong; the message names it
     */
    Engine open(StoreOptions options);
}
