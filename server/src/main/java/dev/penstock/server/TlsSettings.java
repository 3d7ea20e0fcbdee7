package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of TLS on the main port and optionally on the admin port. All files are PEM.
 *
 * @param certificate the certificate of the service, followed by the intermediate certificates
 * @param key the private key of the certificate, not encrypted
 * @param clientCa the authorities for client certificates, which every client then needs; null if clients need none
 */
public record TlsSettings(
        Path certificate, Path key, @Nullable Path clientCa, Ports ports) {
    /** The ports that use TLS. */
    public enum Ports {
        MAIN,
        MAIN_AND_ADMIN
    }

    public TlsSettings {
        Expect.present(ports, "ports");
        Expect.present(certificate, "tls.certificate");
        Expect.present(key, "tls.key");
    }

    /** Creates settings of TLS on the main port only. */
    public TlsSettings(Path certificate, Path key, @Nullable Path clientCa) {
        this(certificate, key, clientCa, Ports.MAIN);
    }

    /** Returns the settings made from these files, or null if none is given. Refuses an incomplete set. */
    public static @Nullable TlsSettings of(
            @Nullable Path certificate, @Nullable Path key, @Nullable Path clientCa, Ports ports) {
        if (certificate == null && key == null && clientCa == null && ports == Ports.MAIN) {
            return null;
        }
        String expected = "a file, because other tls settings are given";
        if (certificate == null) {
            throw Expect.refused("tls.certificate", "nothing", expected);
        } else if (key == null) {
            throw Expect.refused("tls.key", "nothing", expected);
        }
        return new TlsSettings(certificate, key, clientCa, ports);
    }
}
