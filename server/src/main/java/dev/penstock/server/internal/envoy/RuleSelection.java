package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.policy.envoy.EnvoyMatch;
import dev.penstock.policy.envoy.EnvoyRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Selects by the rules of envoyproxy/ratelimit that are in use. */
public final class RuleSelection implements Selection {
    private final Supplier<EnvoyRules> rules;

    public RuleSelection(Supplier<EnvoyRules> rules) {
        this.rules = rules;
    }

    @Override
    public List<DescriptorMatch> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend) {
        List<EnvoyMatch> matches = rules.get().select(domain, descriptors, hitsAddend);
        List<DescriptorMatch> met = new ArrayList<>(matches.size());
        for (EnvoyMatch match : matches) {
            met.add(DescriptorMatch.of(match));
        }
        return met;
    }
}
