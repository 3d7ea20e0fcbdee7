package dev.penstock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.KeyEncoding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyTest {
    @Test
    void of_differentListsOfDifficultValues_neverCollide() {
        long seed = Long.getLong("penstock.seed", new SplittableRandom().nextLong());
        SplittableRandom random = new SplittableRandom(seed);
        Map<Key, List<String>> seen = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            List<String> values = randomValues(random);
            List<String> before = seen.putIfAbsent(Key.of("c", values), values);
            assertThat(before == null ? values : before).as("seed %d", seed).isEqualTo(values);
        }
    }

    @Test
    void of_textThatLooksLikeAnotherEncoding_isADifferentKey() {
        Key list = Key.of("c", List.of("a", "b"));
        String lookalike = new String(list.bytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(Key.of("c", lookalike)).isNotEqualTo(list);
        assertThat(Key.of("c", "")).isNotEqualTo(Key.of("c", List.of()));
        assertThat(Key.of("c", List.of(""))).isEqualTo(Key.of("c", ""));
        assertThat(Key.of("c", List.of("", ""))).isNotEqualTo(Key.of("c", List.of("")));
    }

    @Test
    void of_longValue_isStoredAsADigestThatNoShortValueEquals() {
        String longValue = "x".repeat(129);
        Key hashed = Key.of("c", longValue);
        assertThat(hashed.bytes().length).isLessThan(64);
        assertThat(hashed.values()).singleElement().asString().startsWith("sha256:");
        String lookalike = new String(hashed.bytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(Key.of("c", lookalike)).isNotEqualTo(hashed);
        assertThat(Key.of("c", "x".repeat(130))).isNotEqualTo(hashed);
    }

    @Test
    void of_sameValuesUnderAnotherCounter_isAnotherKey() {
        assertThat(Key.of("a", "v")).isNotEqualTo(Key.of("b", "v"));
        assertThat(Key.of("a", "v")).isEqualTo(Key.of("a", new String("v")));
    }

    @Test
    void values_unpairedSurrogates_roundTrip() {
        List<String> values = List.of("plain", "", "grün", "日本", "🎈", "\uD800", "\uDC00x", "\u0001l");
        List<String> shown = Key.of("c", values).values();
        assertThat(shown.subList(0, 7)).isEqualTo(values.subList(0, 7));
        assertThat(shown.get(7)).startsWith("sha256:"); // begins with the mark, so it is stored as its digest
        assertThat(Key.of("c", "\uD800")).isNotEqualTo(Key.of("c", "?"));
    }

    @Test
    void bytes_ofAnyLengthWithAnUnusualCharacterAnywhere_areUnique() {
        Map<Key, String> seen = new HashMap<>();
        for (int length = 0; length <= 133; length++) {
            for (int place = 0; place < length; place++) {
                for (String odd : List.of("a", "?", "\u0001", "\u007f", "é", "ÿ", "日", "\uD800", "\uDC00", "🎈")) {
                    String value = "x".repeat(place) + odd + "y".repeat(length - 1 - place);
                    Key key = Key.of("c", value);
                    assertThat(seen.put(key, value)).as(value).isNull();
                    int bytes = length
                            - 1
                            + Math.max(
                                    1,
                                    odd.equals("🎈") ? 4 : odd.charAt(0) >= 0x800 ? 3 : odd.charAt(0) >= 0x80 ? 2 : 1);
                    boolean asItIs = bytes <= Key.LONGEST_VALUE && !value.startsWith("\u0001");
                    assertThat(key.values().get(0).equals(value)).as(value).isEqualTo(asItIs);
                    assertThat(key.bytes().length).as(value).isEqualTo(asItIs ? bytes : 45);
                }
            }
        }
    }

    /**
     * The two halves of a signed product are nearly the same for x and -x. So blocks with flipped signs would collide,
     * whatever the seed.
     */
    @Test
    void hashCode_ofValuesChosenToCollideInASignedProduct_differs() {
        byte[] base = new byte[Key.LONGEST_VALUE];
        for (int i = 0; i < base.length; i += 2) {
            base[i] = (byte) (0x22 + 2 * (i % 12));
            base[i + 1] = (byte) (0x40 + i % 0x3e);
        }
        Set<Integer> hashes = new HashSet<>();
        int[] blocks = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0};
        int values = 1 << 14;
        for (int mask = 0; mask < values; mask++) {
            byte[] flipped = base.clone();
            for (int f = 0; f < 14; f++) {
                if ((mask >> f & 1) != 0) {
                    flipped[8 * blocks[f]] ^= (byte) 0xFE;
                    for (int k = 1; k < 8; k++) {
                        flipped[8 * blocks[f] + k] ^= (byte) 0xFF;
                    }
                    flipped[8 * blocks[f + 1]] ^= 1;
                }
            }
            hashes.add(KeyEncoding.hash(flipped, 7));
        }
        assertThat(hashes.size()).isGreaterThan(values - 100);
    }

    @Test
    void toString_showsNoValue() {
        assertThat(Key.of("login/ip", "203.0.113.10").toString())
                .startsWith("login/ip#")
                .doesNotContain("203");
    }

    @Test
    void of_badInput_isReported() {
        assertThatThrownBy(() -> Key.of("", "v")).hasMessage("counter: \"\" (expected: a text that is not empty)");
        assertThatThrownBy(() -> Key.of("c", (String) null)).hasMessage("value: null (expected: a value)");
    }

    private static List<String> randomValues(SplittableRandom random) {
        char[] nasty = {
            'a', 'b', '\u0001', '\u0000', '\u0002', 'l', 'h', ':', '/', '|', 'é', '\uD83C', '\uDF88', '\uFFFF'
        };
        List<String> values = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            StringBuilder value = new StringBuilder();
            int length = random.nextInt(4);
            for (int k = 0; k < length; k++) {
                value.append(nasty[random.nextInt(nasty.length)]);
            }
            values.add(value.toString());
        }
        return values;
    }
}
