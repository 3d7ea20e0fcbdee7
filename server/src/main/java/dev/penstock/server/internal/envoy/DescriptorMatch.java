package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyMatch;
import dev.penstock.policy.envoy.EnvoyRule;
import dev.penstock.spi.Charge;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one descriptor of a request meets, before anything is counted. */
sealed interface DescriptorMatch {
    /**
     * No limit: it passes, and there is none to tell of.
     *
     * @param by the name of the list's entry that lets it pass, or of what does where nothing matches
     */
    record Nothing(String by) implements DescriptorMatch {
        boolean isListed() {
            return !by.equals(StaticDecision.DEFAULT) && !by.equals(StaticDecision.NO_LIMIT);
        }
    }

    /** A rule that lets everything pass. */
    record Unlimited(EnvoyRule rule) implements DescriptorMatch {}

    /**
     * What decides without counting: a list of the policies, or a rule that allows nothing.
     *
     * @param by the name of the list's entry or rule
     * @param rule null where policies decide
     * @param isOver false only for a descriptor that costs nothing
     */
    record Ruled(String by, @Nullable EnvoyRule rule, boolean isOver) implements DescriptorMatch {}

    /**
     * Limits that count.
     *
     * @param rule the one that there is then; null where policies decide
     */
    record Counted(List<Charge> charges, @Nullable EnvoyRule rule) implements DescriptorMatch {}

    /** The same of what rules say. */
    static DescriptorMatch of(EnvoyMatch match) {
        if (match instanceof EnvoyMatch.Counted counted) {
            return new Counted(List.of(counted.charge()), counted.rule());
        } else if (match instanceof EnvoyMatch.Blocked blocked) {
            return new Ruled(blocked.rule().policy(), blocked.rule(), blocked.isOver());
        }
        return match instanceof EnvoyMatch.Unlimited unlimited
                ? new Unlimited(unlimited.rule())
                : new Nothing(StaticDecision.DEFAULT);
    }

    /** The rule that the descriptor met and that limits it; null where there is none. */
    default @Nullable EnvoyRule limitingRule() {
        if (this instanceof Counted counted) {
            return counted.rule();
        }
        return this instanceof Ruled ruled ? ruled.rule() : null;
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
