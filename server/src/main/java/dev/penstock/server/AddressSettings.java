package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.address.IpRanges;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.address.HopHeader;
import java.util.List;

/**
 * How the address of a client is found behind proxies. Without hops and without proxies it is that of the connection, and
 * no header is believed.
 *
 * @param header the one that the proxies write; the other is ignored
 * @param trustedHops how many proxies of one's own are in front: the address is the one that the first of them saw
 * @param trustedProxies the networks of one's own proxies: the address is the last that is in none of them
 */
public record AddressSettings(Header header, int trustedHops, List<IpRanges.Range> trustedProxies) {
    /** Where proxies write who called them. */
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

    /** What finds the address so. */
    ClientAddress client() {
        HopHeader from = header == Header.FORWARDED ? HopHeader.FORWARDED : HopHeader.X_FORWARDED_FOR;
        if (!trustedProxies.isEmpty()) {
            return ClientAddress.behindProxies(from, new IpRanges(trustedProxies));
        }
        return trustedHops == 0 ? ClientAddress.ofPeer() : ClientAddress.behindHops(from, trustedHops);
    }
}
