package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.server.internal.http.AttributeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the service answers a gateway that asks about a request before it forwards it.
 *
 * @param deniedStatus the status of a denial
 * @param requestHeaders the headers in which the gateway describes the request. The others come from the client and are
 *     ignored
 * @param attributes maps a part of the request to the attribute that it sets: a header such as {@code x-tenant}, a
 *     cookie such as {@code cookie:session}, or a claim of a verified token such as {@code claim:x-jwt-payload/sub}
 * @param longestDelay how long a request may wait for its turn in a leaky bucket before it is answered. A request that
 *     would have to wait longer is denied
 */
public record GateSettings(
        DeniedStatus deniedStatus,
        RequestHeaders requestHeaders,
        Map<String, String> attributes,
        Duration longestDelay) {
    /** The status of a denied request. An overloaded node always answers 503. */
    public enum DeniedStatus {
        /** 429 for limits and blocks, 503 if the store failed or has no room, 403 for deny lists and the default. */
        BY_REASON,
        /** 429 for every denial. */
        ALWAYS_429,
        /** 403 for every denial, for gateways that support no other status. */
        ALWAYS_403
    }

    /** The headers with the method, host and path of the request in question. */
    public enum RequestHeaders {
        /** {@code X-Forwarded-Method}, {@code -Host} and {@code -Uri}, sent by Traefik and Caddy. */
        X_FORWARDED,
        /** {@code X-Original-Method}, {@code -Host} and {@code -URI} or {@code -URL}, sent by the nginx ingress. */
        X_ORIGINAL
    }

    /** The longest delay that can be set. */
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    public static final GateSettings DEFAULT =
            new GateSettings(DeniedStatus.BY_REASON, RequestHeaders.X_FORWARDED, Map.of(), Duration.ZERO);

    public GateSettings {
        Expect.present(deniedStatus, "gate.denied_status");
        Expect.present(requestHeaders, "gate.request_headers");
        Expect.that(
                !longestDelay.isNegative() && longestDelay.compareTo(LONGEST_DELAY) <= 0,
                "gate.longest_delay",
                longestDelay,
                "a time from 0 to " + LONGEST_DELAY);
        Map<String, String> normal = new TreeMap<>();
        attributes.forEach((source, attribute) -> {
            Expect.that(AttributeNames.isName(attribute), "gate.attributes", attribute, AttributeNames.EXPECTED);
            String before = normal.put(sourceOf(source), attribute);
            Expect.that(before == null, "gate.attributes", source + " twice", "each source once");
        });
        // Otherwise a client could override a verified claim with a header of its own.
        Set<String> named = new HashSet<>();
        normal.values()
                .forEach(attribute -> Expect.that(
                        named.add(attribute),
                        "gate.attributes",
                        attribute + " from two sources",
                        "one source per attribute"));
        attributes = Collections.unmodifiableMap(normal);
    }

    private static String sourceOf(String text) {
        try {
            return AttributeSource.parse(text).text();
        } catch (Unexpected e) {
            throw Expect.refused("gate.attributes", text, e.expected());
        }
    }
}
