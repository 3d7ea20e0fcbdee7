package dev.penstock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for the loopback address and its key, as PEM files that the JDK's keytool creates.
 *
 * @param certificate the certificate that others must trust
 * @param key the key in PKCS #8, not encrypted
 */
public record TlsIdentity(Path certificate, Path key) {
    private static final String PASSWORD = "only-for-tests";
    private static final String ALIAS = "own";
    private static final int LINE = 64;

    /** Creates an identity in a directory, under a name. */
    public static TlsIdentity create(Path directory, String name) {
        Path store = directory.resolve(name + ".p12");
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home", ""), "bin", "keytool")
                                    .toString(),
                            // it ends soon, so optimizing compilation is not worth its cost
                            "-J-XX:TieredStopAtLevel=1",
                            "-J-XX:+UseSerialGC",
                            "-genkeypair",
                            "-alias",
                            ALIAS,
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=" + name,
                            "-ext",
                            "san=ip:127.0.0.1",
                            "-validity",
                            "2",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("keytool: " + said.strip() + " (expected: a certificate)");
            }
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD.toCharArray());
            }
            return new TlsIdentity(
                    write(
                            directory.resolve(name + ".crt"),
                            "CERTIFICATE",
                            made.getCertificate(ALIAS).getEncoded()),
                    write(
                            directory.resolve(name + ".key"),
                            "PRIVATE KEY",
                            made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("keytool's PKCS #12 (expected: readable)", e);
        }
    }

    private static Path write(Path file, String kind, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(encoded);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
