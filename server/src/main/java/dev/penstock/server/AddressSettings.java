package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpRanges;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.address.HopHeader;
import java.util.List;

/**
 * How the service finds a client's address behind proxies. With neither hops nor proxies, it uses the address of the
 * connection and ignores all headers.
 *
 * @param header the header that the proxies write; the other one is ignored
 * @param trustedHops the number of your own proxies in front; the client's address is the one that the first of them
 *     saw
 * @param trustedProxies the networks of your own proxies; the client's address is the last one outside all of them
 */
public record AddressSettings(Header header, int trustedHops, List<IpRanges.Range> trustedProxies) {
    /** The header in which proxies record who called them. */
    public enum Header {
        X_FORWARDED_FOR,
        /** RFC 7239. */
        FORWARDED
    }

    public static final int MOST_HOPS = 32;

    public static final AddressSettings DEFAULT = new AddressSettings(Header.X_FORWARDED_FOR, 0, List.of());

    public AddressSettings {
        Expect.present(header, "address.header");
        Expect.between(trustedHops, 0, MOST_HOPS, "address.trusted_hops");
        trustedProxies = List.copyOf(trustedProxies);
        Expect.that(
                trustedHops == 0 || trustedProxies.isEmpty(),
                "address.trusted_hops",
                trustedHops + " and trusted_proxies",
                "one of the two");
    }

    /** Returns the reader of client addresses for these settings. */
    ClientAddress client() {
        HopHeader from = header == Header.FORWARDED ? HopHeader.FORWARDED : HopHeader.X_FORWARDED_FOR;
        if (!trustedProxies.isEmpty()) {
            return ClientAddress.behindProxies(from, new IpRanges(trustedProxies));
        }
        return trustedHops == 0 ? ClientAddress.ofPeer() : ClientAddress.behindHops(from, trustedHops);
    }
}
