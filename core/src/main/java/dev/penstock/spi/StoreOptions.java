package dev.penstock.spi;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options with which a {@link StoreProvider} opens a store. Immutable.
 *
 * @param uri the address of the store
 * @param keyPrefix the prefix of all key names; null for the store's default
 * @param tls the files of a TLS connection; null to use the certificates that the JDK trusts
 * @param rememberFor how long answers to permits and to requests with an id are remembered; null for the store's
 *     default
 * @param listener receives a report of every round trip to the store
 */
public record StoreOptions(
        String uri,
        @Nullable String keyPrefix,
        @Nullable TlsFiles tls,
        @Nullable Duration rememberFor,
        TripListener listener) {
    public StoreOptions {
        Expect.text(uri, "uri");
        Expect.present(listener, "listener");
    }

    /**
     * PEM files of a TLS connection. Immutable.
     *
     * @param trust the certificates of the authorities to trust; null for those that the JDK trusts
     * @param certificate this node's certificate; null if the store does not require one
     * @param key the private key of the certificate (PKCS #8, not encrypted)
     */
    public record TlsFiles(
            @Nullable Path trust,
            @Nullable Path certificate,
            @Nullable Path key) {}
}
