package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.AttributeNames;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How a gateway is answered that asks about a request before it passes it on.
 *
 * @param deniedStatus 429, or 403 for gateways that know no other
 * @param toldBy the headers by which the gateway tells of the request; the others are a client's own, and ignored
 * @param attributes which header of the request, in lower case, becomes which attribute
 */
public record GateSettings(int deniedStatus, ToldBy toldBy, Map<String, String> attributes) {
    /** The headers with the method, the host and the path of the request that is asked about. */
    public enum ToldBy {
        /** {@code X-Forwarded-Method}, {@code -Host} and {@code -Uri}: Traefik, Caddy. */
        X_FORWARDED,
        /** {@code X-Original-Method}, {@code -Host} and {@code -URI} or {@code -URL}: the ingress of nginx. */
        X_ORIGINAL
    }

    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    public static final GateSettings DEFAULT = new GateSettings(429, ToldBy.X_FORWARDED, Map.of());

    public GateSettings {
        Expect.that(deniedStatus == 429 || deniedStatus == 403, "gate.denied_status", deniedStatus, "429 or 403");
        Expect.present(toldBy, "gate.told_by");
        Map<String, String> lower = new TreeMap<>();
        attributes.forEach((header, attribute) -> {
            Expect.that(isHeader(header), "gate.attributes", header, "the name of a header");
            Expect.that(AttributeNames.isName(attribute), "gate.attributes", attribute, AttributeNames.EXPECTED);
            String before = lower.put(header.toLowerCase(Locale.ROOT), attribute);
            Expect.that(before == null, "gate.attributes", header + " twice", "each header once");
        });
        attributes = Collections.unmodifiableMap(lower);
    }

    /** Whether a header can be called so. */
    public static boolean isHeader(String name) {
        return HEADER.matcher(name).matches();
    }
}
