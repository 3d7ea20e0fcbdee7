package dev.penstock.server.internal.address;

import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.address.IpRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the client that sent a request: the peer's address, or the one that trusted proxies report.
 * Immutable.
 *
 * <p>Proxies are trusted by their number ({@link TrustedHops}) or by their addresses ({@link TrustedProxies}). Entries
 * before theirs are ignored. So whatever a client sends, it is counted under the address that the first trusted proxy
 * saw. If the proxies name no address (too few entries, {@code unknown}, {@code _hidden}, anything malformed), the
 * peer's address is used.
 */
public final class ClientAddress {
    /** Finds the client among the entries that proxies wrote. */
    interface Trust {
        /** Returns the client's address, or null if the entries do not contain it. */
        @Nullable
        IpAddress client(IpAddress peer, HopHeader header, ElementsFromEnd elements);
    }

    private static final ClientAddress PEER = new ClientAddress(null, (peer, header, elements) -> peer);

    private final @Nullable HopHeader header;
    private final Trust trust;

    private ClientAddress(@Nullable HopHeader header, Trust trust) {
        this.header = header;
        this.trust = trust;
    }

    /** Trusts no proxy: the client is the peer. */
    public static ClientAddress ofPeer() {
        return PEER;
    }

    /** Trusts a number of proxies, including the peer. */
    public static ClientAddress behindHops(HopHeader header, int hops) {
        return new ClientAddress(Expect.present(header, "header"), new TrustedHops(hops));
    }

    /** Trusts the proxies in these ranges. */
    public static ClientAddress behindProxies(HopHeader header, IpRanges trusted) {
        return new ClientAddress(Expect.present(header, "header"), new TrustedProxies(trusted));
    }

    /** Returns the header field to read, or null for none. */
    public @Nullable HopHeader header() {
        return header;
    }

    /**
     * Returns the client's address.
     *
     * @param values the values of all lines of the {@linkplain #header header field}, in order
     */
    public IpAddress of(IpAddress peer, List<String> values) {
        if (header == null || values.isEmpty()) {
            return peer;
        }
        ElementsFromEnd elements = header.elements(values.size() == 1 ? values.get(0) : String.join(",", values));
        IpAddress client = trust.client(peer, header, elements);
        return client == null ? peer : client;
    }
}
