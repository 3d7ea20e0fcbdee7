package dev.penstock.policy.envoy;

import dev.penstock.spi.Charge;

/** What the rules say of one descriptor of a request. */
public sealed interface EnvoyMatch {
    /** No rule, or one that another rule of the request replaces: it passes, and has no limit to tell of. */
    record None() implements EnvoyMatch {}

    /** It passes, whatever was counted. */
    record Unlimited(EnvoyRule rule) implements EnvoyMatch {}

    /** A rule that allows nothing at all; a descriptor that costs nothing passes even so. */
    record Blocked(EnvoyRule rule, long cost) implements EnvoyMatch {
        /** Whether it is over the limit; a {@linkplain EnvoyRule#isShadow shadow} then passes all the same. */
        public boolean isOver() {
            return cost > 0;
        }
    }

    /**
     * A rule that counts. The charge is only observed where the rule is a shadow, and where it is one of several
     * {@linkplain EnvoyDescriptor#quotaGroup quota groups}: whether all of those are over their limits is for the
     * caller to see.
     */
    record Counted(EnvoyRule rule, Charge charge) implements EnvoyMatch {}
}
