package dev.penstock.policy.envoy;

import dev.penstock.spi.Charge;

/** The result of applying the rules to one descriptor of a request. */
public sealed interface EnvoyMatch {
    /**
     * No rule matches, or another rule of the request replaces it. The descriptor passes and has no limit to report.
     */
    record None() implements EnvoyMatch {}

    /** The descriptor always passes. */
    record Unlimited(EnvoyRule rule) implements EnvoyMatch {}

    /** The rule allows nothing. A descriptor that costs nothing still passes. */
    record Blocked(EnvoyRule rule, long cost) implements EnvoyMatch {
        /**
         * Returns true if the descriptor is over the limit. A {@linkplain EnvoyRule#isShadow shadow} rule still lets it
         * pass.
         */
        public boolean isOver() {
            return cost > 0;
        }
    }

    /**
     * A rule that counts. The charge is in shadow mode if the rule is, or if it belongs to one of several
     * {@linkplain EnvoyDescriptor#quotaGroup quota groups}. In the latter case, the caller must check whether all
     * groups are over their limits.
     */
    record Counted(EnvoyRule rule, Charge charge) implements EnvoyMatch {}
}
