package dev.penstock.server.internal.address;

import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.address.IpAddress;
import dev.penstock.policy.internal.address.IpRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client that a request is from: the peer's, or what trusted proxies say of it. Immutable.
 *
 * <p>Proxies are trusted by their number ({@link TrustedHops}) or by their addresses ({@link TrustedProxies}). Entries in front
 * of theirs are never looked at, so whatever a client sends, it is counted as the address that the first trusted proxy saw. If
 * the proxies name no address (too few entries, {@code unknown}, {@code _hidden}, anything malformed), it is the peer's.
 */
public final class ClientAddress {
    /** Finds the client among the entries that proxies wrote. */
    interface Trust {
        /** The client's address; null if the entries do not name it. */
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

    /** Nobody is trusted: the client is the peer. */
    public static ClientAddress ofPeer() {
        return PEER;
    }

    /** Trusts a number of proxies, the peer included. */
    public static ClientAddress behindHops(HopHeader header, int hops) {
        return new ClientAddress(Expect.present(header, "header"), new TrustedHops(hops));
    }

    /** Trusts the proxies in these ranges. */
    public static ClientAddress behindProxies(HopHeader header, IpRanges trusted) {
        return new ClientAddress(Expect.present(header, "header"), new TrustedProxies(trusted));
    }

    /** The header field to read; null where none is. */
    public @Nullable HopHeader header() {
        return header;
    }

    /**
     * The client's address.
     *
     * @param values of all lines of the {@linkplain #header header field}, in their order
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
