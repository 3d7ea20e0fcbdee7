package dev.penstock.server.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.testkit.TestSeed;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
    private static final IpAddress PEER = address("10.0.0.1");
    private static final int SPOOFS = 20_000;

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            throw new AssertionError(text);
        }
        return address;
    }

    private static IpRanges ranges(String... texts) {
        List<IpRanges.Range> ranges = new ArrayList<>();
        for (String text : texts) {
            try {
                ranges.add(IpRanges.Range.parse(text));
            } catch (Unexpected e) {
                throw new AssertionError(text, e);
            }
        }
        return new IpRanges(ranges);
    }

    private static String found(ClientAddress rule, String... lines) {
        return rule.of(PEER, List.of(lines)).toString();
    }

    @Test
    void of_noTrustedProxies_isThePeer() {
        assertThat(ClientAddress.ofPeer().header()).isNull();
        assertThat(found(ClientAddress.ofPeer(), "192.0.2.7")).isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 192.0.2.7                              | 192.0.2.7",
                "1 | 203.0.113.9, 192.0.2.7                 | 192.0.2.7",
                "2 | 203.0.113.9, 192.0.2.7                 | 203.0.113.9",
                "2 | 198.51.100.1, 203.0.113.9, 192.0.2.7   | 203.0.113.9",
                "2 | 192.0.2.7                              | 10.0.0.1",
                "3 | a, 192.0.2.7                           | 10.0.0.1",
                "1 | ''                                     | 10.0.0.1",
                "1 | ', ,'                                  | 10.0.0.1",
                "1 | ',,192.0.2.7,,'                        | 192.0.2.7",
                "1 | unknown                                | 10.0.0.1",
                "1 | 192.0.2.7, unknown                     | 10.0.0.1",
                "1 | _hidden                                | 10.0.0.1",
                "2 | 192.0.2.7, unknown                     | 192.0.2.7",
                "1 | localhost                              | 10.0.0.1",
            })
    void of_hops_isTheAddressThatTheFirstTrustedProxySaw(int hops, String value, String expected) {
        ClientAddress rule = ClientAddress.behindHops(HopHeader.X_FORWARDED_FOR, hops);

        assertThat(found(rule, value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.7                              | 192.0.2.7",
                "192.0.2.7, 10.1.2.3                    | 192.0.2.7",
                "203.0.113.9, 192.0.2.7, 10.1.2.3       | 192.0.2.7",
                "203.0.113.9, 10.9.9.9, 192.0.2.7       | 192.0.2.7",
                "192.0.2.7, 2001:db8:1::5, 10.1.2.3     | 192.0.2.7",
                "192.0.2.7, ::ffff:10.1.2.3             | 192.0.2.7",
                "10.1.2.3, 10.4.5.6                     | 10.0.0.1",
                "192.0.2.7, unknown, 10.1.2.3           | 10.0.0.1",
                "192.0.2.7, 10.1.2.3.4                  | 10.0.0.1",
                "''                                     | 10.0.0.1",
            })
    void of_proxies_isTheLastAddressThatIsNotAProxy(String value, String expected) {
        ClientAddress rule =
                ClientAddress.behindProxies(HopHeader.X_FORWARDED_FOR, ranges("10.0.0.0/8", "2001:db8:1::/48"));

        assertThat(found(rule, value)).isEqualTo(expected);
    }

    @Test
    void of_untrustedPeer_isThePeer() {
        ClientAddress rule = ClientAddress.behindProxies(HopHeader.X_FORWARDED_FOR, ranges("172.16.0.0/12"));

        assertThat(found(rule, "192.0.2.7")).isEqualTo("10.0.0.1");
    }

    @Test
    void of_repeatedLines_areOneList() {
        assertThat(found(ClientAddress.behindHops(HopHeader.X_FORWARDED_FOR, 2), "1.1.1.1", "192.0.2.7, 10.1.2.3"))
                .isEqualTo("192.0.2.7");
        assertThat(found(ClientAddress.behindHops(HopHeader.X_FORWARDED_FOR, 3), "1.1.1.1", "192.0.2.7, 10.1.2.3"))
                .isEqualTo("1.1.1.1");
        assertThat(found(ClientAddress.behindHops(HopHeader.FORWARDED, 1), "for=1.1.1.1", "for=192.0.2.7"))
                .isEqualTo("192.0.2.7");
        assertThat(ClientAddress.behindHops(HopHeader.FORWARDED, 1).of(PEER, List.of()))
                .isEqualTo(PEER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "192.0.2.7                         | 192.0.2.7",
                "192.0.2.7:4711                    | 192.0.2.7",
                "192.0.2.7:_port.1                 | 192.0.2.7",
                "2001:db8::7                       | 2001:db8::7",
                "2001:DB8:0:0:0:0:0:7              | 2001:db8::7",
                "[2001:db8::7]                     | 2001:db8::7",
                "[2001:db8::7]:4711                | 2001:db8::7",
                "fe80::7%eth0                      | fe80::7",
                "[fe80::7%25eth0]:4711             | fe80::7",
                "::ffff:192.0.2.7                  | 192.0.2.7",
                "::ffff:c000:207                   | 192.0.2.7",
                "[::ffff:192.0.2.7]:80             | 192.0.2.7",
            })
    void of_everyForm_isOneAddress(String node, String expected) {
        assertThat(found(ClientAddress.behindHops(HopHeader.X_FORWARDED_FOR, 1), node))
                .isEqualTo(expected);
        assertThat(found(
                        ClientAddress.behindHops(HopHeader.FORWARDED, 1),
                        "by=1.1.1.1;For=\"" + node + "\";proto=https"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown",
                "_hidden",
                "_",
                "192.0.2",
                "192.0.2.7:",
                "192.0.2.7:123456",
                "192.0.2.7:80a",
                "192.0.2.7:_",
                "192.0.2.07",
                "0x7f.1",
                "3221225991",
                "[192.0.2.7]",
                "[2001:db8::7",
                "[2001:db8::7]4711",
                "[2001:db8::7]:",
                "2001:db8::7%",
                "2001:db8::g",
                "[]",
                "[",
                ":",
                "::1::",
                "192.0.2.7 192.0.2.8",
                "192.0.2.7%eth0",
                "example.com",
                "\u0661.1.1.1"
            })
    void of_malformed_isThePeer(String node) {
        assertThat(found(ClientAddress.behindHops(HopHeader.X_FORWARDED_FOR, 1), node))
                .isEqualTo("10.0.0.1");
        assertThat(found(ClientAddress.behindHops(HopHeader.FORWARDED, 1), "for=\"" + node + "\""))
                .isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=192.0.2.7                                        | 192.0.2.7",
                "FOR=192.0.2.7                                        | 192.0.2.7",
                "for=192.0.2.7:80                                     | 192.0.2.7",
                "for=[2001:db8::7]:80                                 | 2001:db8::7",
                "proto=http;for=192.0.2.7;by=203.0.113.43             | 192.0.2.7",
                "proto=\"a,b;for=1.1.1.1\";for=192.0.2.7              | 192.0.2.7",
                "for=\"192\\.0.2.7\" ; by=x                           | 192.0.2.7",
                "for=192.0.2.7;;                                      | 192.0.2.7",
                "for=1.1.1.1, for=\"192.0.2.7\";by=\"x\\\"y,z\"       | 192.0.2.7",
                "for=1.1.1.1,proto=https                              | 10.0.0.1",
                "for=192.0.2.7;for=1.1.1.1                            | 10.0.0.1",
                "for=192.0.2.7;proto                                  | 10.0.0.1",
                "for=\"192.0.2.7                                      | 10.0.0.1",
                "for=\"192.0.2.7\"x                                   | 10.0.0.1",
                "for=192.0.2.7\"                                      | 10.0.0.1",
                "for=                                                 | 10.0.0.1",
                "for                                                  | 10.0.0.1",
                "=192.0.2.7                                           | 10.0.0.1",
                "proto;for=192.0.2.7                                  | 10.0.0.1",
                "192.0.2.7                                            | 10.0.0.1",
                "for=unknown                                          | 10.0.0.1",
                "for=_hidden                                          | 10.0.0.1",
            })
    void of_forwarded_isReadAsInRfc7239(String value, String expected) {
        assertThat(found(ClientAddress.behindHops(HopHeader.FORWARDED, 1), value))
                .isEqualTo(expected);
    }

    /**
     * Whatever a client sends in the header, and on however many lines, it is counted as the address that the first
     * trusted proxy saw.
     */
    @ParameterizedTest
    @EnumSource
    void of_forgedEntries_changeNothing(HopHeader header) {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("spoofed " + header.fieldName()));
        ClientAddress byHops = ClientAddress.behindHops(header, 3);
        ClientAddress byRanges = ClientAddress.behindProxies(header, ranges("10.0.0.0/8"));
        for (int i = 0; i < SPOOFS; i++) {
            String client = "192.0.2." + random.nextInt(256);
            String written = hop(header, client, random)
                    + separator(random)
                    + hop(header, "10.1.2.3", random)
                    + separator(random)
                    + hop(header, "10.4.5.6", random);
            String spoof = spoof(random);
            List<String> lines = random.nextBoolean()
                    ? List.of(spoof + separator(random) + written)
                    : List.of(spoof, spoof(random), written);
            assertThat(byHops.of(PEER, lines)).as("%s", lines).hasToString(client);
            assertThat(byRanges.of(PEER, lines)).as("%s", lines).hasToString(client);
        }
    }

    private static String separator(SplittableRandom random) {
        return random.nextBoolean() ? ", " : ",";
    }

    /** Returns an entry as proxies write it. */
    private static String hop(HopHeader header, String address, SplittableRandom random) {
        if (header == HopHeader.X_FORWARDED_FOR) {
            return random.nextInt(3) == 0 ? address + ":" + random.nextInt(65_536) : address;
        }
        return switch (random.nextInt(4)) {
            case 0 -> "for=" + address;
            case 1 -> "for=\"" + address + ":4711\";proto=https";
            case 2 -> "by=\"_a\\\\\\\"b, c\";for=\"[::ffff:" + address + "]\"";
            default -> "proto=http;For=" + address + ";host=\"a,b\"";
        };
    }

    /** Returns random addresses, unclosed quotes, and other text that could be mistaken for a part of the list. */
    private static String spoof(SplittableRandom random) {
        String[] parts = {
            "127.0.0.1",
            "10.9.9.9",
            "for=",
            "for=10.9.9.9",
            "\"",
            "\\",
            "\\\"",
            ",",
            ", ",
            ";",
            "=",
            " ",
            "\t",
            "[",
            "]",
            "unknown",
            "_x",
            "::1",
            "%",
            "for=\"",
            "\u00fc",
            "proto=https",
            ""
        };
        StringBuilder spoof = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            spoof.append(parts[random.nextInt(parts.length)]);
        }
        return spoof.toString();
    }

    @Test
    void of_peerOfTheJdk_isThatAddress() throws UnknownHostException {
        InetAddress mapped = InetAddress.getByAddress(
                new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, (byte) 192, 0, 2, 7});

        assertThat(IpAddress.of(mapped)).isEqualTo(address("192.0.2.7"));
        assertThat(IpAddress.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 7})))
                .isEqualTo(address("192.0.2.7"));
    }

    @Test
    void behindHops_none_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientAddress.behindHops(HopHeader.FORWARDED, 0))
                .withMessage("trusted hops: 0 (expected: > 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientAddress.behindHops(HopHeader.FORWARDED, 101))
                .withMessage("trusted hops: 101 (expected: <= 32)");
    }
}
