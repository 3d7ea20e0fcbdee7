package dev.penstock.server.internal.address;

import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.address.IpRanges;
import org.jspecify.annotations.Nullable;

/** Trusts proxies by their addresses: the client is the last address in the chain that is not one of theirs. */
record TrustedProxies(IpRanges ranges) implements ClientAddress.Trust {
    TrustedProxies {
        Expect.present(ranges, "trusted proxies");
    }

    @Override
    public @Nullable IpAddress client(IpAddress peer, HopHeader header, ElementsFromEnd elements) {
        if (!ranges.contains(peer)) {
            return null;
        }
        for (String element = elements.next(); element != null; element = elements.next()) {
            IpAddress address = header.address(element);
            if (address == null || !ranges.contains(address)) {
                return address;
            }
        }
        return null;
    }
}
