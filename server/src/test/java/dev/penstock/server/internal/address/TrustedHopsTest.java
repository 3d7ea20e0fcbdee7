package dev.penstock.server.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.policy.address.IpAddress;
import dev.penstock.server.AddressSettings;
import org.junit.jupiter.api.Test;

class TrustedHopsTest {
    private static final IpAddress PEER = IpAddress.parse("10.0.0.1");

    private static IpAddress client(int hops, String entries) {
        HopHeader header = HopHeader.X_FORWARDED_FOR;
        return new TrustedHops(hops).client(PEER, header, header.elements(entries));
    }

    @Test
    void client_isTheEntryThatTheFirstTrustedProxyWrote() {
        assertThat(client(1, "203.0.113.9, 192.0.2.7")).hasToString("192.0.2.7");
        assertThat(client(2, "203.0.113.9, 192.0.2.7")).hasToString("203.0.113.9");
    }

    @Test
    void client_fewerEntriesThanHops_isNotKnown() {
        assertThat(client(3, "203.0.113.9, 192.0.2.7")).isNull();
    }

    @Test
    void count_outOfRange_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TrustedHops(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new TrustedHops(AddressSettings.MOST_HOPS + 1));
    }
}
