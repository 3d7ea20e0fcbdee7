package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import java.nio.file.Path;
import java.util.List;

/**
 * How Envoy's rate limit service answers.
 *
 * @param rules files of envoyproxy/ratelimit, or directories of them, by which it decides; none: the policies do
 * @param sameDomain what becomes of a domain that several of those files have
 * @param countDenied whether denied requests count, under each of their descriptors; only with rules
 * @param headers which headers Envoy is told to add
 * @param metadata whether Envoy is told why, for its log and its other filters
 */
public record EnvoySettings(
        List<Path> rules, SameDomain sameDomain, boolean countDenied, Headers headers, boolean metadata) {
    /** Which headers Envoy adds to the response that its client gets. */
    public enum Headers {
        OFF,
        /** {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset} as whole numbers, as envoyproxy/ratelimit has them. */
        NUMBERS,
        /** Those of {@link HeaderSettings}. */
        FIELDS
    }

    /** By the policies, without headers and metadata. */
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
                "off or numbers where envoy.count_denied is true");
    }
}
