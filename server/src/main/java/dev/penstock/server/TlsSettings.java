package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the main port, and on the admin port if that is wanted. All files are PEM.
 *
 * @param certificate the service's own, then those between it and the one that clients trust
 * @param key of the certificate, not encrypted
 * @param clientCa the certificates that may vouch for clients, each of which then has to show one; null: no client has to
 */
public record TlsSettings(
        Path certificate, Path key, @Nullable Path clientCa, Ports ports) {
    /** The ports that are served over TLS. */
    public enum Ports {
        MAIN,
        MAIN_AND_ADMIN
    }

    public TlsSettings {
        Expect.present(ports, "ports");
        Expect.present(certificate, "tls.certificate");
        Expect.present(key, "tls.key");
    }

    /** TLS on the main port alone. */
    public TlsSettings(Path certificate, Path key, @Nullable Path clientCa) {
        this(certificate, key, clientCa, Ports.MAIN);
    }

    /** The settings made of those given: null if there are none. Refuses an incomplete set. */
    public static @Nullable TlsSettings of(
            @Nullable Path certificate, @Nullable Path key, @Nullable Path clientCa, Ports ports) {
        if (certificate == null && key == null && clientCa == null && ports == Ports.MAIN) {
            return null;
        }
        String expected = "a file, since others of tls are given";
        if (certificate == null) {
            throw Expect.refused("tls.certificate", "nothing", expected);
        } else if (key == null) {
            throw Expect.refused("tls.key", "nothing", expected);
        }
        return new TlsSettings(certificate, key, clientCa, ports);
    }
}
