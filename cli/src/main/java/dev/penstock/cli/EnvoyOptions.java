package dev.penstock.cli;

import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import picocli.CommandLine.Option;

/** How files of envoyproxy/ratelimit are read. */
final class EnvoyOptions {
    static final String MERGE = "--merge-domains";

    @Option(
            names = MERGE,
            description = "Put together the descriptors of a domain that comes in several files, as MERGE_DOMAIN_CONFIG"
                    + " does; else that is an error.")
    private boolean merge;

    boolean isGiven() {
        return merge;
    }

    EnvoyRules.Loader loader() {
        return EnvoyRules.loader().sameDomain(merge ? SameDomain.MERGED : SameDomain.REFUSED);
    }
}
