package dev.penstock.server.internal.admin;

import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the parts of keys: those of the policies, and those of the rules for Envoy.
 *
 * @param rules null if the policies decide Envoy's requests
 */
public record KeyParts(PolicyWatch policies, @Nullable EnvoyRulesWatch rules) {
    /** Returns the parts of a counter's keys; empty if it is unknown. */
    public List<String> of(String counter) {
        List<String> parts = policies.policies().keyParts(counter);
        return parts.isEmpty() && rules != null ? rules.rules().keyParts(counter) : parts;
    }
}
