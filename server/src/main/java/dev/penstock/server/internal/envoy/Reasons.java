package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.observe.DecisionMeters;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.observe.RequestOutcome.Outcome;
import dev.penstock.policy.envoy.EnvoyRule;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PolicyVersion;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request was over, by the names of policies and rules.
 *
 * @param denied what counts against it; of quotas also where not all groups are over, so that it passed
 * @param shadows what only watches
 */
record Reasons(Set<String> denied, Set<String> shadows) {
    static Reasons of(DescriptorStatuses standing) {
        Set<String> denied = new LinkedHashSet<>();
        Set<String> shadows = new LinkedHashSet<>();
        DescriptorAsk asked = standing.asked();
        for (int i = 0; i < asked.size(); i++) {
            if (asked.met(i) instanceof DescriptorMatch.Ruled ruled && ruled.isOver()) {
                (ruled.isShadow() ? shadows : denied).add(ruled.by());
            }
        }
        List<LimitStatus> limits = standing.limits();
        for (int i = 0; i < limits.size(); i++) {
            LimitStatus status = limits.get(i);
            int owner = status.isExceeded() ? asked.ownerOf(status.charge(), i) : -1;
            if (owner >= 0) {
                boolean counts = asked.met(owner).limitingRule() == null
                        ? status.isEnforced()
                        : !asked.met(owner).isShadow();
                (counts ? denied : shadows).add(status.policy());
            }
        }
        return new Reasons(denied, shadows);
    }

    /**
     * What is counted of a request: where it was denied, only those that did so or watched.
     *
     * @param request all descriptors as one
     */
    static RequestOutcome tally(DescriptorStatuses standing, Request request) {
        RequestOutcome.Asked asked = askedOfPolicies(standing.asked(), request);
        Reasons reasons = of(standing);
        Map<String, Outcome> policies = new HashMap<>();
        reasons.shadows.forEach(name -> policies.put(name, Outcome.OBSERVED));
        if (!standing.isOver()) {
            reasons.denied.forEach(name -> policies.put(name, Outcome.OBSERVED));
            addAll(standing, policies);
            return new RequestOutcome(Outcome.ALLOWED, standing.decidedBy(), policies, nearLimit(standing), asked);
        }
        reasons.denied.forEach(name -> policies.put(name, Outcome.DENIED));
        if (reasons.denied.isEmpty()) { // no single limit was looked at: a store that failed, or is full
            addBlamed(standing, policies);
        }
        return new RequestOutcome(Outcome.DENIED, standing.decidedBy(), policies, null, asked);
    }

    /** Null where rules decide: they know no routes and no plans. */
    private static RequestOutcome.@Nullable Asked askedOfPolicies(DescriptorAsk asked, Request request) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.met(i) instanceof DescriptorMatch.Counted counted && counted.rule() == null) {
                PolicyVersion version = counted.charges().get(0).settings().version();
                return version == null ? null : new RequestOutcome.Asked(request, version);
            }
        }
        return null;
    }

    private static @Nullable String nearLimit(DescriptorStatuses standing) {
        Decision decision = standing.decision();
        Charge near = decision == null ? null : decision.nearlySpent(DecisionMeters.NEAR);
        return near == null ? null : nameOf(near);
    }

    /** All that let it pass; what does where nothing matches only where that is all. */
    private static void addAll(DescriptorStatuses standing, Map<String, Outcome> policies) {
        DescriptorAsk asked = standing.asked();
        for (int i = 0; i < asked.size(); i++) {
            DescriptorMatch met = asked.met(i);
            if (met instanceof DescriptorMatch.Counted counted) {
                counted.charges().forEach(charge -> policies.putIfAbsent(nameOf(charge), Outcome.ALLOWED));
            } else if (met instanceof DescriptorMatch.Ruled ruled) {
                policies.putIfAbsent(ruled.by(), Outcome.ALLOWED);
            } else if (met instanceof DescriptorMatch.Unlimited unlimited) {
                policies.putIfAbsent(unlimited.rule().policy(), Outcome.ALLOWED);
            }
        }
        for (int i = 0; i < asked.size(); i++) {
            if (asked.met(i) instanceof DescriptorMatch.Nothing nothing && (nothing.isListed() || policies.isEmpty())) {
                policies.putIfAbsent(nothing.by(), Outcome.ALLOWED);
            }
        }
    }

    private static void addBlamed(DescriptorStatuses standing, Map<String, Outcome> policies) {
        for (int i = 0; i < standing.asked().size(); i++) {
            if (standing.isOver(i) && standing.asked().met(i) instanceof DescriptorMatch.Counted counted) {
                EnvoyRule rule = counted.rule();
                for (Charge charge : counted.charges()) {
                    if (rule != null ? !rule.isShadow() : charge.isEnforced()) {
                        policies.put(nameOf(charge), Outcome.DENIED);
                    }
                }
            }
        }
    }

    private static String nameOf(Charge charge) {
        return charge.settings().policy();
    }
}
