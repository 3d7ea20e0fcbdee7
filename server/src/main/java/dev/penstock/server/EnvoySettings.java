package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import java.nio.file.Path;
import java.util.List;

/**
 * How Envoy's rate limit service answers.
 *
 * @param rules files of envoyproxy/ratelimit, or directories of them, that define the limits; if empty, the policies do
 * @param sameDomain what to do if several of those files define the same domain
 * @param countDenied if true, denied requests also count under each of their descriptors; requires rules
 * @param headers the headers that Envoy has to add to its response
 * @param metadata if true, the answer contains the reason, for Envoy's log and its other filters
 */
public record EnvoySettings(
        List<Path> rules, SameDomain sameDomain, boolean countDenied, Headers headers, boolean metadata) {
    /** The headers that Envoy adds to the response for its client. */
    public enum Headers {
        OFF,
        /**
         * {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset} as whole numbers, as in envoyproxy/ratelimit.
         */
        NUMBERS,
        /** The headers chosen by {@link HeaderSettings}. */
        FIELDS
    }

    /** Decides by the policies and adds neither headers nor metadata. */
    public static final EnvoySettings DEFAULT =
            new EnvoySettings(List.of(), SameDomain.REFUSED, false, Headers.OFF, false);

    public EnvoySettings {
        rules = List.copyOf(rules);
        Expect.present(sameDomain, "envoy.merge_domains");
        Expect.present(headers, "envoy.headers");
        Expect.that(!countDenied || !rules.isEmpty(), "envoy.count_denied", true, "false; true only with envoy.rules");
        Expect.that(
                !countDenied || headers != Headers.FIELDS,
                "envoy.headers",
                "fields",
                "off or numbers if envoy.count_denied is true");
    }
}
