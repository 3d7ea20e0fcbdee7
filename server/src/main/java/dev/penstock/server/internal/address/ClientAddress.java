package dev.penstock.server.internal.address;

import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.address.IpAddress;
import dev.penstock.policy.internal.address.IpRanges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client that a request is from: the peer's, or what trusted proxies say of it. Immutable.
 *
 * <p>Proxies are trusted by their number, or by their addresses. What stands in front of what they wrote is never looked at, so
 * whatever a client sends, it is counted as the address that the first trusted proxy saw. Where they do not tell an
 * address (too few entries, {@code unknown}, {@code _hidden}, anything malformed) it is the peer's.
 *
 * <p>A number of hops holds only where every request comes through all of them: one that takes a shorter way can write
 * the missing entries itself.
 */
public final class ClientAddress {
    /** The most proxies in a row that can be trusted. */
    public static final int MOST_HOPS = 100;

    private static final ClientAddress PEER = new ClientAddress(null, 0, null);

    private final @Nullable HopHeader header;
    private final int hops;

    /** Null where they are trusted by their number. */
    private final @Nullable IpRanges trusted;

    private ClientAddress(@Nullable HopHeader header, int hops, @Nullable IpRanges trusted) {
        this.header = header;
        this.hops = hops;
        this.trusted = trusted;
    }

    /** Nobody is trusted: the client is the peer. */
    public static ClientAddress ofPeer() {
        return PEER;
    }

    /** So many proxies are trusted, the peer among them; each adds one entry. */
    public static ClientAddress behindHops(HopHeader header, int hops) {
        Expect.between(hops, 1, MOST_HOPS, "trusted hops");
        return new ClientAddress(Expect.present(header, "header"), hops, null);
    }

    /** Proxies in these ranges are trusted: the client is the last address in the row that is not one of them. */
    public static ClientAddress behindProxies(HopHeader header, IpRanges trusted) {
        return new ClientAddress(Expect.present(header, "header"), 0, Expect.present(trusted, "trusted proxies"));
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
        IpAddress told = trusted == null
                ? addressAtHop(header, elements)
                : trusted.contains(peer) ? lastUntrusted(header, elements, trusted) : null;
        return told == null ? peer : told;
    }

    private @Nullable IpAddress addressAtHop(HopHeader in, ElementsFromEnd elements) {
        String element = null;
        for (int i = 0; i < hops; i++) {
            element = elements.next();
            if (element == null) {
                return null;
            }
        }
        return element == null ? null : in.address(element);
    }

    private static @Nullable IpAddress lastUntrusted(HopHeader in, ElementsFromEnd elements, IpRanges trusted) {
        for (String element = elements.next(); element != null; element = elements.next()) {
            IpAddress address = in.address(element);
            if (address == null || !trusted.contains(address)) {
                return address;
            }
        }
        return null;
    }
}
