package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.server.GateSettings;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.address.HopHeader;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the request that a gateway asks about: its method, host and path from the headers of Traefik, Caddy or nginx,
 * the client's address from trusted proxies, and attributes from configured headers, cookies and claims.
 */
final class ForwardedRequest {
    /**
     * The header names of one family only. A gateway overwrites its own headers but passes on any others that a client
     * sent.
     */
    private record Names(String method, String host, List<String> path) {
        static Names of(GateSettings.RequestHeaders requestHeaders) {
            return switch (requestHeaders) {
                case X_FORWARDED -> new Names("x-forwarded-method", "x-forwarded-host", List.of("x-forwarded-uri"));
                case X_ORIGINAL ->
                    new Names("x-original-method", "x-original-host", List.of("x-original-uri", "x-original-url"));
            };
        }
    }

    private final ClientAddress address;
    private final Names names;
    private final List<Attribute> attributes;

    private record Attribute(AttributeSource source, String name) {}

    ForwardedRequest(ClientAddress address, GateSettings settings) {
        this.address = address;
        this.names = Names.of(settings.requestHeaders());
        this.attributes = settings.attributes().entrySet().stream()
                .map(entry -> new Attribute(source(entry.getKey()), entry.getValue()))
                .toList();
    }

    Request of(RequestHeaders headers, InetAddress peer) {
        Request request = Request.of(AttributeNames.METHOD, orElse(headers.get(names.method), method(headers)))
                .with(AttributeNames.ROUTE, orElse(first(headers, names.path), headers.path()))
                .with(AttributeNames.IP, client(headers, peer).toString());
        String stated = headers.get(names.host);
        String host = stated == null ? headers.authority() : stated;
        request = host == null ? request : request.with(AttributeNames.HOST, host);
        for (Attribute attribute : attributes) {
            String value = attribute.source.value(headers);
            request = value == null ? request : request.with(attribute.name, value);
        }
        return request;
    }

    private static AttributeSource source(String text) {
        try {
            return AttributeSource.parse(text);
        } catch (Unexpected e) { // the settings have checked it
            throw new IllegalArgumentException(text + " (expected: " + e.expected() + ")", e);
        }
    }

    private static String method(RequestHeaders headers) {
        HttpMethod method = headers.method();
        return method == HttpMethod.UNKNOWN ? "UNKNOWN" : method.name();
    }

    private IpAddress client(RequestHeaders headers, InetAddress peer) {
        IpAddress seen = Expect.present(IpAddress.parse(withoutZone(peer.getHostAddress())), "peer");
        HopHeader header = address.header();
        return header == null ? seen : address.of(seen, headers.getAll(header.fieldName()));
    }

    private static String withoutZone(String text) {
        int percent = text.indexOf('%');
        return percent < 0 ? text : text.substring(0, percent);
    }

    private static String orElse(@Nullable String stated, String otherwise) {
        return stated == null ? otherwise : stated;
    }

    private static @Nullable String first(RequestHeaders headers, List<String> names) {
        for (String name : names) {
            String value = headers.get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
