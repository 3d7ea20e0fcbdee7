package dev.penstock.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A hash of encoded keys with secret numbers, so that nobody can choose keys that collide. It reads eight bytes per step
 * and folds each through a product. The last step reads the last eight bytes, even if an earlier step has read some of
 * them. Thread-safe.
 *
 * @param seed any number
 * @param factor an odd number
 * @param lastFactor an odd number
 */
record KeyHash(long seed, long factor, long lastFactor) {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Creates a hash with the next numbers of this source. */
    static KeyHash random(SecureRandom random) {
        return new KeyHash(random.nextLong(), random.nextLong() | 1, random.nextLong() | 1);
    }

    int of(byte[] bytes, int counterHash) {
        long h = seed ^ (counterHash * factor) ^ bytes.length;
        for (int at = 8; at < bytes.length - 8; at += 8) {
            h = fold(h ^ (long) LONGS.get(bytes, at), factor);
        }
        if (bytes.length > 8) {
            h = fold(h ^ (long) LONGS.get(bytes, 0), factor);
        }
        h = fold(h ^ lastEight(bytes), lastFactor);
        // With one factor in 300, a fold alone puts keys in sequence into few stripes of the memory engine.
        return (int) (((h ^ (h >>> 32)) * factor) >>> 32);
    }

    /** Returns the last eight bytes as one number, or all bytes if there are fewer. */
    static long lastEight(byte[] bytes) {
        return bytes.length >= 8 ? (long) LONGS.get(bytes, bytes.length - 8) : packed(bytes);
    }

    private static long packed(byte[] few) {
        long all = 0;
        for (byte each : few) {
            all = (all << 8) | (each & 0xff);
        }
        return all;
    }

    /** Multiplies, and combines the two halves of the product, which has 128 bits. */
    private static long fold(long x, long y) {
        long high = Math.multiplyHigh(x, y) + ((x >> 63) & y) + ((y >> 63) & x);
        return high ^ (x * y);
    }
}
