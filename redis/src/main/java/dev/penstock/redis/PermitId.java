package dev.penstock.redis;

import io.lettuce.core.cluster.SlotHash;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The name of a permit, which nobody can guess: the engine's name, the slot in which its record lies, and a random number.
 *
 * @param text the whole of it
 */
record PermitId(String text, int slot) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;

    static PermitId random(String engine, int slot) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new PermitId(engine + "-" + slot + "-" + HexFormat.of().formatHex(bytes), slot);
    }

    /** The id that the text tells; null where it cannot be one of this engine's. */
    static @Nullable PermitId parse(String engine, String text) {
        String[] parts = text.split("-", -1);
        if (parts.length != 3 || !parts[0].equals(engine) || !parts[1].matches("\\d{1,5}")) {
            return null;
        }
        int slot = Integer.parseInt(parts[1]);
        return slot < SlotHash.SLOT_COUNT ? new PermitId(text, slot) : null;
    }
}
