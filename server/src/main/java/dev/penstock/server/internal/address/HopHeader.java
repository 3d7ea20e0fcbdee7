package dev.penstock.server.internal.address;

import dev.penstock.policy.internal.address.AddressText;
import dev.penstock.policy.internal.address.IpAddress;
import org.jspecify.annotations.Nullable;

/** The header field in which proxies tell from whom they have a request: one by configuration, never both. */
public enum HopHeader {
    X_FORWARDED_FOR("X-Forwarded-For", ElementsFromEnd.Quotes.ARE_ORDINARY) {
        @Override
        @Nullable
        IpAddress address(String element) {
            return AddressText.address(element);
        }
    },
    /** As RFC 7239 has it. */
    FORWARDED("Forwarded", ElementsFromEnd.Quotes.COUNT) {
        @Override
        @Nullable
        IpAddress address(String element) {
            String node = ForwardedElement.forWhom(element);
            return node == null ? null : AddressText.address(node);
        }
    };

    private final String fieldName;
    private final ElementsFromEnd.Quotes quotes;

    HopHeader(String fieldName, ElementsFromEnd.Quotes quotes) {
        this.fieldName = fieldName;
        this.quotes = quotes;
    }

    public String fieldName() {
        return fieldName;
    }

    ElementsFromEnd elements(String value) {
        return new ElementsFromEnd(value, quotes);
    }

    /** The address that a hop tells; null where it tells none. */
    abstract @Nullable IpAddress address(String element);
}
