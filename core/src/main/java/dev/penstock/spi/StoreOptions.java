package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link StoreProvider} opens a store. Immutable.
 *
 * @param uri the address of the store
 * @param keyPrefix the text that the names of all keys begin with; null for the store's default
 * @param tls the files of a TLS connection; null for what the JDK trusts
 * @param listener receives a report of every trip to the store
 */
public record StoreOptions(
        String uri, @Nullable String keyPrefix, @Nullable TlsFiles tls, TripListener listener) {
    public StoreOptions {
        Expect.text(uri, "uri");
        Expect.present(listener, "listener");
    }

    /**
     * PEM files of a TLS connection. Immutable.
     *
     * @param trust the certificates of authorities that may vouch for the store; null for those that the JDK trusts
     * @param certificate this node's own certificate; null if the store does not ask for one
     * @param key the private key of the certificate (PKCS #8, not encrypted)
     */
    public record TlsFiles(
            @Nullable Path trust,
            @Nullable Path certificate,
            @Nullable Path key) {}
}
