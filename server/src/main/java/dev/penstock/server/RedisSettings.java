package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a node uses its Redis, apart from the address.
 *
 * @param prefix the prefix of all key names. Deployments with different prefixes can share a Redis
 * @param ca the authorities (PEM) that may issue Redis's certificate; null for those that the JDK trusts
 * @param certificate the certificate (PEM) of this node; null if Redis does not require one
 * @param key the private key (PEM, PKCS #8, not encrypted) of that certificate
 */
public record RedisSettings(
        String prefix,
        @Nullable Path ca,
        @Nullable Path certificate,
        @Nullable Path key) {
    public static final RedisSettings DEFAULT = new RedisSettings("p", null, null, null);

    public RedisSettings {
        Expect.text(prefix, "redis_prefix");
        Expect.that(key != null || certificate == null, "redis_tls.key", "missing", "the key of redis_tls.certificate");
        Expect.that(
                certificate != null || key == null,
                "redis_tls.certificate",
                "missing",
                "the certificate of redis_tls.key");
    }

    /** Returns true if there is a file for TLS, which needs an address that uses TLS. */
    public boolean hasTlsFiles() {
        return ca != null || certificate != null;
    }
}
