package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyMatch;
import dev.penstock.policy.envoy.EnvoyRule;
import dev.penstock.spi.Charge;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The match of one descriptor, before anything is counted. */
sealed interface DescriptorMatch {
    /**
     * No limit applies: the descriptor passes, and there is no limit to report.
     *
     * @param by the name of the list entry that lets it pass, or of the default if nothing matches
     */
    record Nothing(String by) implements DescriptorMatch {
        boolean isListed() {
            return !by.equals(StaticDecision.DEFAULT) && !by.equals(StaticDecision.NO_LIMIT);
        }
    }

    /** A rule that lets everything pass. */
    record Unlimited(EnvoyRule rule) implements DescriptorMatch {}

    /**
     * Decides without counting: an entry of a list in the policies, a block by an operator, or a rule that allows
     * nothing.
     *
     * @param by the name of the list entry or rule
     * @param rule the rule; null if policies decide
     * @param isOver false only for a descriptor that costs nothing
     * @param decision the denial by the policies or an operator; null if a rule decides
     */
    record Static(
            String by,
            @Nullable EnvoyRule rule,
            boolean isOver,
            @Nullable StaticDecision decision) implements DescriptorMatch {
        /** Returns a denial by the policies or an operator. */
        static Static denied(StaticDecision decision) {
            return new Static(decision.by(), null, true, decision);
        }
    }

    /**
     * Limits that count.
     *
     * @param rule the rule; null if policies decide
     */
    record Counted(List<Charge> charges, @Nullable EnvoyRule rule) implements DescriptorMatch {}

    /** Converts the match of a rule. */
    static DescriptorMatch of(EnvoyMatch match) {
        if (match instanceof EnvoyMatch.Counted counted) {
            return new Counted(List.of(counted.charge()), counted.rule());
        } else if (match instanceof EnvoyMatch.Blocked blocked) {
            return new Static(blocked.rule().policy(), blocked.rule(), blocked.isOver(), null);
        }
        return match instanceof EnvoyMatch.Unlimited unlimited
                ? new Unlimited(unlimited.rule())
                : new Nothing(StaticDecision.DEFAULT);
    }

    /** Returns the rule that limits the descriptor, or null if there is none. */
    default @Nullable EnvoyRule limitingRule() {
        if (this instanceof Counted counted) {
            return counted.rule();
        }
        return this instanceof Static ruled ? ruled.rule() : null;
    }

    /** Returns true if limits of the policies decide, even if none of them applies. */
    default boolean isOfPolicies() {
        return this instanceof Counted counted
                ? counted.rule() == null
                : this instanceof Nothing nothing && nothing.by().equals(StaticDecision.NO_LIMIT);
    }

    default boolean isShadow() {
        EnvoyRule rule = limitingRule();
        return rule != null && rule.isShadow();
    }

    default boolean isQuota() {
        EnvoyRule rule = limitingRule();
        return rule != null && rule.isQuota() && !rule.isShadow();
    }
}
