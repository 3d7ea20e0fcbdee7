package dev.penstock.server.internal.address;

import dev.penstock.policy.address.AddressText;
import dev.penstock.policy.address.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * The header field in which proxies report the addresses that they received a request from. The configuration chooses
 * one of the two; they are never combined.
 */
public enum HopHeader {
    X_FORWARDED_FOR("X-Forwarded-For", ElementsFromEnd.Quotes.ARE_ORDINARY) {
        @Override
        @Nullable
        IpAddress address(String element) {
            return AddressText.address(element);
        }
    },
    /** The header of RFC 7239. */
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

    /** Returns the address that a hop reports, or null if it reports none. */
    abstract @Nullable IpAddress address(String element);
}
