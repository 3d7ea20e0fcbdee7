package dev.penstock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A digest that distinguishes asks under one id. In every process, it is equal for two asks if {@link Ask#isSameAs}
 * returns true.
 */
final class AskFingerprint {
    private AskFingerprint() {}

    static String of(Ask ask) {
        MessageDigest digest = sha256();
        add(digest, ask.purpose() + " " + ask.hold());
        for (Charge charge : ask.charges()) {
            add(digest, charge.key().counter());
            add(digest, charge.key().bytes());
            add(
                    digest,
                    charge.limit() + " " + charge.limit().maxDebt() + " " + charge.cost() + " "
                            + (charge.isEnforced()
                                    ? "DENY"
                                    : "OBSERVE")); // words of an older version, kept for rolling upgrades
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }

    private static void add(MessageDigest digest, String text) {
        add(digest, text.getBytes(UTF_8));
    }

    /** Adds the length before the bytes, so that two different lists of parts never produce the same input. */
    private static void add(MessageDigest digest, byte[] bytes) {
        digest.update((bytes.length + ":").getBytes(UTF_8));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
