package dev.penstock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The address of the service, the token to send, and the output format. */
final class AdminOptions {
    static final String TOKEN = "PENSTOCK_ADMIN_TOKEN";

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "The admin port of the service; default: ${DEFAULT-VALUE}.")
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The token that the service requires. Other users can see it on the command line: prefer "
                    + TOKEN + ".")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Certificates to trust for https, in PEM; default: those that Java trusts.")
    private @Nullable Path ca;

    @Option(names = "--json", description = "Print the JSON object that the service returned.")
    private boolean json;

    boolean json() {
        return json;
    }

    AdminClient client(Map<String, String> environment) throws UsageError {
        boolean isFine = url.matches("https?://[^/?#@\\s]+/?");
        if (!isFine) {
            throw new UsageError("--url", url, "http://HOST:PORT");
        }
        try {
            String shown = token == null ? environment.get(TOKEN) : token;
            return new AdminClient(URI.create(url.replaceFirst("/$", "")), shown, ca == null ? null : trusting(ca));
        } catch (IllegalArgumentException e) {
            throw new UsageError("--url", url, "http://HOST:PORT");
        }
    }

    private static SSLContext trusting(Path file) throws UsageError {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
            }
            if (trusted.size() == 0) {
                throw new UsageError("--ca", file.toString(), "certificates in PEM");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new UsageError("--ca", file.toString(), "a file of certificates in PEM");
        }
    }
}
