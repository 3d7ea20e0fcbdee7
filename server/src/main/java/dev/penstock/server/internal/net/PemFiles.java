package dev.penstock.server.internal.net;

import dev.penstock.internal.Expect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and keys in PEM. Error messages begin with the name of the setting and never contain any part of a
 * key.
 */
final class PemFiles {
    private static final long LARGEST = 1 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PLAIN_KEY = "PRIVATE KEY";
    private static final String KEY_EXPECTED =
            "a key in PEM that begins with BEGIN PRIVATE KEY (PKCS #8, not encrypted)";
    private static final String CONVERT = "; create one with openssl pkcs8 -topk8 -nocrypt";

    private PemFiles() {}

    /**
     * One block of a file, from BEGIN to END.
     *
     * @param text the content in base64, possibly with invalid characters
     */
    private record Block(String kind, String text) {
        byte[] contents() {
            return Base64.getMimeDecoder().decode(text);
        }
    }

    /** Reads all certificates of a file, at least one. */
    static List<X509Certificate> certificates(String setting, Path file) {
        String expected = "certificates in PEM, each from BEGIN CERTIFICATE to END CERTIFICATE";
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(setting, file)) {
            if (block.kind().equals(CERTIFICATE)) {
                certificates.add(certificate(setting, file, block, expected));
            }
        }
        Expect.that(!certificates.isEmpty(), setting, file + " contains no certificate", expected);
        return List.copyOf(certificates);
    }

    private static X509Certificate certificate(String setting, Path file, Block block, String expected) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.contents()));
        } catch (CertificateException | IllegalArgumentException e) {
            throw Expect.refused(setting, file + " contains an invalid certificate", expected);
        }
    }

    /** Reads the private key of the certificate. */
    static PrivateKey key(String setting, Path file, X509Certificate certificate) {
        List<Block> keys = blocks(setting, file).stream()
                .filter(block -> block.kind().endsWith(PLAIN_KEY))
                .toList();
        Expect.that(!keys.isEmpty(), setting, file + " contains no key", KEY_EXPECTED);
        Block block = keys.get(0);
        if (!block.kind().equals(PLAIN_KEY)) {
            throw Expect.refused(setting, file + " contains BEGIN " + block.kind(), KEY_EXPECTED + CONVERT);
        }
        PublicKey open = certificate.getPublicKey();
        PrivateKey key;
        try {
            key = KeyFactory.getInstance(open.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(block.contents()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw Expect.refused(setting, file, "a key of the same kind as tls.certificate, " + open.getAlgorithm());
        }
        Expect.that(belongTogether(key, open), setting, file, "the key of the first certificate in tls.certificate");
        return key;
    }

    private static boolean belongTogether(PrivateKey key, PublicKey open) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update((byte) 1);
            byte[] signed = signing.sign();
            signing.initVerify(open);
            signing.update((byte) 1);
            return signing.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static List<Block> blocks(String setting, Path file) {
        String text;
        try {
            Expect.that(Files.size(file) <= LARGEST, setting, file, "at most " + LARGEST + " bytes");
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw Expect.refused(setting, file, "a file that can be read");
        }
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }
}
