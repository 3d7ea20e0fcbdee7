package dev.penstock.policy.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.TestSeed;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    private static final int ADDRESSES = 20_000;

    /** Compares the parser with the JDK's on random notations of random addresses. */
    @Test
    void parse_randomAddresses_readsWhatTheJdkReads() throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("random addresses"));
        for (int i = 0; i < ADDRESSES; i++) {
            byte[] bytes = random.nextInt(4) == 0 ? v4(random) : v6(random);
            InetAddress known = InetAddress.getByAddress(bytes);
            IpAddress address = IpAddress.parse(known.getHostAddress());
            assertThat(address).as(known.getHostAddress()).isEqualTo(of(known));
            assertThat(IpAddress.of(known)).isEqualTo(address);
            for (String text : spellings(bytes, address.toString())) {
                assertThat(IpAddress.parse(text)).as(text).isEqualTo(address);
                assertThat(InetAddress.getByName(text)).as(text).isEqualTo(known);
            }
        }
    }

    private static byte[] v4(SplittableRandom random) {
        byte[] bytes = new byte[4];
        random.nextBytes(bytes);
        return bytes;
    }

    /** With many zero groups, so that {@code ::} can replace some. */
    private static byte[] v6(SplittableRandom random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        for (int group = 0; group < 8; group++) {
            if (random.nextBoolean()) {
                bytes[2 * group] = 0;
                bytes[2 * group + 1] = (byte) (random.nextBoolean() ? 0 : 1);
            }
        }
        return bytes;
    }

    private static List<String> spellings(byte[] bytes, String usual) {
        if (bytes.length == 4) {
            return List.of(usual, "::ffff:" + usual, "0:0:0:0:0:FFFF:" + usual);
        }
        List<String> groups = IntStream.range(0, 8)
                .mapToObj(group -> String.format("%02x%02x", bytes[2 * group], bytes[2 * group + 1]))
                .toList();
        String whole = String.join(":", groups);
        String quad = IntStream.range(12, 16)
                .mapToObj(at -> String.valueOf(bytes[at] & 0xff))
                .collect(Collectors.joining("."));
        return List.of(
                usual,
                usual.toUpperCase(Locale.ROOT),
                whole,
                whole.toUpperCase(Locale.ROOT),
                String.join(":", groups.subList(0, 6)) + ":" + quad);
    }

    private static IpAddress of(InetAddress known) {
        byte[] bytes = known.getAddress();
        long low = 0;
        long high = 0;
        for (byte each : bytes) {
            high = high << 8 | low >>> 56;
            low = low << 8 | (each & 0xff);
        }
        return bytes.length == 4 ? new IpAddress(0, 0xffffL << 32 | low) : new IpAddress(high, low);
    }

    @ParameterizedTest
    @CsvSource({
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "0:0:0:0:0:0:0:0, ::",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::ffff:c000:201, 192.0.2.1",
        "::192.0.2.1, ::c000:201",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    })
    void toString_isTheNotationOfRfc5952(String text, String usual) {
        assertThat(IpAddress.parse(text)).hasToString(usual);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ":",
                ":::",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..2.3",
                "1.2.3.256",
                "1.2.3.-4",
                "1.2.3.+4",
                "01.2.3.4",
                "1.2.3.00",
                "1.2.3.4 ",
                " 1.2.3.4",
                "1.2.3.4/32",
                "1.2.3.4:80",
                "0x7f.0.0.1",
                "2130706433",
                "1.2.3.99999999999",
                "1.2.3.٤",
                "localhost",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8:",
                ":1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7:8::",
                "1::2::3",
                "1:::2",
                "::12345",
                "::g",
                "::-1",
                "::٤",
                "::1.2.3",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6::1.2.3.4",
                "::ffff:1.2.3.256",
                "fe80::1%eth0",
                "[::1]",
                "[::1]:80",
                "::1/128",
                "0000:0000:0000:0000:0000:ffff:255.255.255.2555",
            })
    void parse_invalidText_returnsNull(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }
}
