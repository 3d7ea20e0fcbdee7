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
 * The names of the policies and rules whose limits a request exceeded.
 *
 * @param denied the names that count against the request; also contains exceeded quotas of a request that passed
 *     because not all groups are over
 * @param shadows the names in shadow mode
 */
record Reasons(Set<String> denied, Set<String> shadows) {
    static Reasons of(DescriptorStatuses statuses) {
        Set<String> denied = new LinkedHashSet<>();
        Set<String> shadows = new LinkedHashSet<>();
        DescriptorAsk asked = statuses.asked();
        for (int i = 0; i < asked.size(); i++) {
            if (asked.met(i) instanceof DescriptorMatch.Static ruled && ruled.isOver()) {
                (ruled.isShadow() ? shadows : denied).add(ruled.by());
            }
        }
        List<LimitStatus> limits = statuses.limits();
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
     * Returns the outcome to count for a request. If it was denied, contains only the policies that denied it, or would
     * have in shadow mode.
     *
     * @param request all descriptors as one request
     */
    static RequestOutcome tally(DescriptorStatuses statuses, Request request) {
        RequestOutcome.Input asked = askedOfPolicies(statuses.asked(), request);
        Reasons reasons = of(statuses);
        Map<String, Outcome> policies = new HashMap<>();
        reasons.shadows.forEach(name -> policies.put(name, Outcome.SHADOW_DENIED));
        if (!statuses.isOver()) {
            reasons.denied.forEach(name -> policies.put(name, Outcome.SHADOW_DENIED));
            addAll(statuses, policies);
            return new RequestOutcome(Outcome.ALLOWED, statuses.decidedBy(), policies, nearLimit(statuses), asked);
        }
        reasons.denied.forEach(name -> policies.put(name, Outcome.DENIED));
        if (reasons.denied.isEmpty()) { // no limit was reported: the store failed or is full
            addBlamed(statuses, policies);
        }
        return new RequestOutcome(Outcome.DENIED, statuses.decidedBy(), policies, null, asked);
    }

    /** Returns null if rules decide, because they have no routes and no plans. */
    private static RequestOutcome.@Nullable Input askedOfPolicies(DescriptorAsk asked, Request request) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.met(i) instanceof DescriptorMatch.Counted counted && counted.rule() == null) {
                PolicyVersion version = counted.charges().get(0).settings().version();
                return version == null ? null : new RequestOutcome.Input(request, version);
            }
        }
        return null;
    }

    private static @Nullable String nearLimit(DescriptorStatuses statuses) {
        Decision decision = statuses.decision();
        Charge near = decision == null ? null : decision.nearlySpent(DecisionMeters.NEAR);
        return near == null ? null : nameOf(near);
    }

    /** Adds everything that let the request pass. The default is added only if nothing else did. */
    private static void addAll(DescriptorStatuses statuses, Map<String, Outcome> policies) {
        DescriptorAsk asked = statuses.asked();
        for (int i = 0; i < asked.size(); i++) {
            DescriptorMatch met = asked.met(i);
            if (met instanceof DescriptorMatch.Counted counted) {
                counted.charges().forEach(charge -> policies.putIfAbsent(nameOf(charge), Outcome.ALLOWED));
            } else if (met instanceof DescriptorMatch.Static ruled) {
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

    private static void addBlamed(DescriptorStatuses statuses, Map<String, Outcome> policies) {
        for (int i = 0; i < statuses.asked().size(); i++) {
            if (statuses.isOver(i) && statuses.asked().met(i) instanceof DescriptorMatch.Counted counted) {
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
