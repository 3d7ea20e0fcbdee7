package dev.penstock.redis;

import dev.penstock.internal.Expect;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a TLS connection. Immutable.
 *
 * @param trust the certificates of the authorities to trust; null for those that the JDK trusts
 * @param certificate this node's certificate; null if Redis does not ask for one
 * @param key the key of that certificate
 */
record Tls(
        @Nullable Path trust,
        @Nullable Path certificate,
        @Nullable Path key) {
    /**
     * Returns the options for Lettuce. Rejects files that are missing or have the wrong contents, with the name of the
     * setting.
     */
    SslOptions optionsFor(RedisAddress address) {
        boolean none = trust == null && certificate == null && key == null;
        if (none) {
            return SslOptions.create();
        }
        Expect.that(
                address.uris().stream().allMatch(RedisURI::isSsl),
                "uri.scheme",
                "without TLS",
                "one that begins with rediss, because trust, certificate or key is set");
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
        if (trust != null) {
            readable(trust, "trust");
            options.trustManager(trust.toFile());
            check(options.build(), "trust", trust, "certificates in PEM");
        }
        if (certificate != null || key != null) {
            Path mine = readable(certificate, "certificate");
            Path secret = readable(key, "key");
            options.keyManager(mine.toFile(), secret.toFile(), new char[0]);
            check(options.build(), "certificate", mine, "a certificate in PEM, with its PKCS #8 key in key");
        }
        return options.build();
    }

    private static Path readable(@Nullable Path file, String name) {
        Path present = Expect.present(file, name);
        Expect.that(Files.isReadable(present), name, present, "a file that can be read");
        return present;
    }

    private static void check(SslOptions options, String name, Path file, String expected) {
        try {
            options.createSslContextBuilder().build();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw Expect.refused(name, file, expected);
        }
    }
}
