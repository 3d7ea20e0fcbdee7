package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpAddress;

/**
 * An address of this machine and a port on it. Host names other than {@code localhost} are not accepted, so nothing is
 * ever looked up.
 *
 * @param host an IP address or {@code localhost}; {@code 0.0.0.0} and {@code ::} mean all addresses of the machine
 * @param port the port; 0 means any free one
 */
public record ListenAddress(String host, int port) {
    public static final int HIGHEST_PORT = 65_535;

    private static final String LOCALHOST = "localhost";
    private static final int LOOPBACK_BITS = 8;

    public ListenAddress {
        Expect.that(isHost(Expect.text(host, "host")), "host", host, "an address such as 127.0.0.1, 0.0.0.0 or ::1");
        Expect.between(port, 0, HIGHEST_PORT, "port");
    }

    /** Returns true if the text is an IP address or {@code localhost}. */
    public static boolean isHost(String text) {
        return text.equals(LOCALHOST) || IpAddress.parse(text) != null;
    }

    /** Returns true if only this machine can reach the address. */
    public boolean isLoopback() {
        IpAddress address = IpAddress.parse(host);
        return address == null
                || address.equals(new IpAddress(0, 1))
                || (address.isV4() && address.network(LOOPBACK_BITS).toString().equals("127.0.0.0"));
    }

    /** Returns true if two servers at these addresses would compete for one port. */
    boolean meets(ListenAddress other) {
        boolean sameHost = host.equals(other.host) || isEverywhere() || other.isEverywhere();
        return port != 0 && port == other.port && sameHost;
    }

    private boolean isEverywhere() {
        IpAddress address = IpAddress.parse(host);
        return address != null && (address.equals(IpAddress.parse("0.0.0.0")) || address.equals(new IpAddress(0, 0)));
    }
}
