package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.address.IpAddress;
import dev.penstock.server.GateSettings;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.address.HopHeader;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the request that a gateway asks about: its method, host and path from what Traefik, Caddy and nginx tell of it, the
 * client's address from the proxies that are trusted, and attributes from configured headers.
 */
final class ForwardedRequest {
    /** Of one family only: a gateway overwrites its own headers, and passes on what a client wrote into others. */
    private record Names(String method, String host, List<String> path) {
        static Names of(GateSettings.ToldBy toldBy) {
            return switch (toldBy) {
                case X_FORWARDED -> new Names("x-forwarded-method", "x-forwarded-host", List.of("x-forwarded-uri"));
                case X_ORIGINAL ->
                    new Names("x-original-method", "x-original-host", List.of("x-original-uri", "x-original-url"));
            };
        }
    }

    private final ClientAddress address;
    private final Names names;
    private final Map<String, String> attributes;

    ForwardedRequest(ClientAddress address, GateSettings settings) {
        this.address = address;
        this.names = Names.of(settings.toldBy());
        this.attributes = settings.attributes();
    }

    Request of(RequestHeaders headers, InetAddress peer) {
        Request request = Request.of(AttributeNames.METHOD, orElse(headers.get(names.method), method(headers)))
                .with(AttributeNames.ROUTE, orElse(first(headers, names.path), headers.path()))
                .with(AttributeNames.IP, client(headers, peer).toString());
        String told = headers.get(names.host);
        String host = told == null ? headers.authority() : told;
        request = host == null ? request : request.with(AttributeNames.HOST, host);
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            String value = headers.get(entry.getKey());
            request = value == null ? request : request.with(entry.getValue(), value);
        }
        return request;
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

    private static String orElse(@Nullable String told, String otherwise) {
        return told == null ? otherwise : told;
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
