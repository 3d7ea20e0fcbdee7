package dev.penstock.server.internal.address;

import dev.penstock.internal.Expect;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.server.AddressSettings;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a number of consecutive proxies, including the peer. Each adds one entry, so the client is in the entry that
 * is this many from the end.
 *
 * <p>This is safe only if every request passes through all of them. A request that bypasses some can write the missing
 * entries itself.
 *
 * @param count the number of proxies, from 1 to {@link AddressSettings#MOST_HOPS}
 */
record TrustedHops(int count) implements ClientAddress.Trust {
    TrustedHops {
        Expect.between(count, 1, AddressSettings.MOST_HOPS, "trusted hops");
    }

    @Override
    public @Nullable IpAddress client(IpAddress peer, HopHeader header, ElementsFromEnd elements) {
        String element = null;
        for (int i = 0; i < count; i++) {
            element = elements.next();
            if (element == null) {
                return null;
            }
        }
        return element == null ? null : header.address(element);
    }
}
