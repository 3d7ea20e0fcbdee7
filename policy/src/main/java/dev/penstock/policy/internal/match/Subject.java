package dev.penstock.policy.internal.match;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.AddressText;
import dev.penstock.policy.address.IpAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request as conditions and keys see it: each attribute in one spelling, normalized only once. Not thread-safe. */
public final class Subject {
    private final Request request;
    private @Nullable String route;
    private @Nullable String method;
    private @Nullable String host;
    private @Nullable IpAddress ip;
    private boolean ipIsRead;

    public Subject(Request request) {
        this.request = request;
    }

    public Request request() {
        return request;
    }

    /** Returns the attribute's value in its usual spelling; null if the request lacks it. */
    public @Nullable String value(String attribute) {
        String value = request.attribute(attribute);
        if (value == null) {
            return null;
        }
        return switch (attribute) {
            case AttributeNames.ROUTE -> route(value);
            case AttributeNames.METHOD -> method(value);
            case AttributeNames.HOST -> host(value);
            default -> value;
        };
    }

    private String route(String path) {
        String known = route;
        if (known == null) {
            known = RoutePath.inOrder(path);
            route = known;
        }
        return known;
    }

    private String method(String value) {
        String known = method;
        if (known == null) {
            known = value.toUpperCase(Locale.ROOT);
            method = known;
        }
        return known;
    }

    private String host(String value) {
        String known = host;
        if (known == null) {
            known = hostName(value);
            host = known;
        }
        return known;
    }

    /**
     * Returns the attribute's value as an address; null if it is not one. The port and zone of {@code ip} are dropped.
     */
    public @Nullable IpAddress address(String attribute) {
        String value = request.attribute(attribute);
        if (value == null) {
            return null;
        }
        if (!attribute.equals(AttributeNames.IP)) {
            return IpAddress.parse(value);
        }
        if (!ipIsRead) {
            ip = AddressText.address(value);
            ipIsRead = true;
        }
        return ip;
    }

    private static String hostName(String value) {
        int colon = value.lastIndexOf(':');
        boolean port =
                colon >= 0 && value.indexOf(']', colon) < 0 && (value.indexOf(':') == colon || value.startsWith("["));
        String name = (port ? value.substring(0, colon) : value).toLowerCase(Locale.ROOT);
        return name.length() > 1 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
