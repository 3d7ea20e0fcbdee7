package dev.penstock.server;

import dev.penstock.testkit.server.TlsIdentity;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that a TLS client trusts and presents. */
final class Trust {
    private Trust() {}

    static SSLContext in(TlsIdentity server) {
        return context(null, server);
    }

    /** @param own presented if the server asks for a certificate */
    static SSLContext in(TlsIdentity server, TlsIdentity own) {
        return context(own, server);
    }

    static SSLContext inAll(TlsIdentity... servers) {
        return context(null, servers);
    }

    private static SSLContext context(TlsIdentity own, TlsIdentity... servers) {
        try {
            KeyStore trusted = empty();
            for (int i = 0; i < servers.length; i++) {
                trusted.setCertificateEntry("trusted-" + i, certificate(servers[i].certificate()));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own == null ? null : keys(own).getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManagerFactory keys(TlsIdentity own) throws Exception {
        String pem = Files.readString(own.key()).replaceAll("-----[A-Z ]+-----|\\s", "");
        KeyStore store = empty();
        store.setKeyEntry(
                "own",
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))),
                new char[0],
                new Certificate[] {certificate(own.certificate())});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        return keys;
    }

    private static KeyStore empty() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
