package dev.penstock.cli;

import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import picocli.CommandLine.Option;

/** Options for reading files of envoyproxy/ratelimit. */
final class EnvoyOptions {
    static final String MERGE = "--merge-domains";

    @Option(
            names = MERGE,
            description = "Merge the descriptors of a domain that is defined in several files, as MERGE_DOMAIN_CONFIG"
                    + " does; by default this is an error.")
    private boolean merge;

    boolean isGiven() {
        return merge;
    }

    EnvoyRules.Loader loader() {
        return EnvoyRules.loader().sameDomain(merge ? SameDomain.MERGED : SameDomain.REFUSED);
    }
}
