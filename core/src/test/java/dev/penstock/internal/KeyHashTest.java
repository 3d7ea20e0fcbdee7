package dev.penstock.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyHashTest {
    private static final int STRIPES = 64;
    private static final int KEYS = 1_024;

    /** Six standard deviations above the 16 keys that each stripe gets on average. */
    private static final int MOST_PER_STRIPE = 40;

    /** The highest bits choose the stripe of an account in the memory engine, the lowest its slot there. */
    @Test
    void of_keysInSequence_spreadOverStripesAndSlots_withAnySecrets() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            KeyHash hash = new KeyHash(random.nextLong(), random.nextLong() | 1, random.nextLong() | 1);
            String prefix = i % 2 == 0 ? "k" : "customer-";
            int[] stripes = new int[STRIPES];
            int[] slots = new int[STRIPES];
            for (int key = 10_000; key < 10_000 + KEYS; key++) {
                int h = hash.of((prefix + key).getBytes(US_ASCII), 7);
                stripes[h >>> 26]++;
                slots[h & (STRIPES - 1)]++;
            }
            assertThat(IntStream.of(stripes).max().orElse(0))
                    .as("keys in a stripe with %s", hash)
                    .isLessThan(MOST_PER_STRIPE);
            assertThat(IntStream.of(slots).max().orElse(0))
                    .as("keys in a slot with %s", hash)
                    .isLessThan(MOST_PER_STRIPE);
        }
    }
}
