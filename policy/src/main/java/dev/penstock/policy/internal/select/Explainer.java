package dev.penstock.policy.internal.select;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.Request;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.internal.Durations;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.Explanation.KeyValue;
import dev.penstock.policy.Explanation.OfLimit;
import dev.penstock.policy.Explanation.OfPolicy;
import dev.penstock.policy.internal.match.Condition;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.policy.internal.select.SelectedLimit.Line;
import dev.penstock.policy.text.LimitText;
import dev.penstock.spi.Ask;
import dev.penstock.spi.LimitSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains how the policies apply to one request. For one use. */
public final class Explainer {
    private static final FailurePlan USUAL_PLAN = FailurePlan.of(FailureMode.LOCAL);

    private final Selector.Contents contents;
    private final Subject subject;
    private final Plans.Plan plan;
    private final List<OfPolicy> policies = new ArrayList<>();
    private boolean takesPlan;

    /** The first leased policy that matches; null if there is none. */
    private final @Nullable String leased;

    private Explainer(Selector.Contents contents, Request request) {
        this.contents = contents;
        this.subject = new Subject(request);
        this.plan = contents.plans().of(subject);
        this.leased = contents.policies().stream()
                .filter(policy -> policy.role() == SelectedPolicy.Role.ENFORCE && whyNot(policy) == null)
                .filter(policy -> policy.limits().stream().anyMatch(limit -> isLeased(limit.line(plan))))
                .map(SelectedPolicy::name)
                .findFirst()
                .orElse(null);
    }

    private static boolean isLeased(@Nullable Line line) {
        return line != null
                && line.settings().consistency() == Consistency.LEASED
                && !(line.settings().limit().algorithm() instanceof LeakyBucket);
    }

    public static Explanation of(Selector selector, Request request) {
        return new Explainer(selector.contents(), request).explained(selector.select(request));
    }

    private Explanation explained(Ask ask) {
        contents.policies().stream()
                .sorted(Comparator.comparing(SelectedPolicy::name))
                .forEach(policy -> policies.add(policy(policy, whyNot(policy))));
        SelectedPolicy otherwise = contents.defaultPolicy();
        if (otherwise != null) {
            boolean enforced = contents.policies().stream()
                    .anyMatch(policy -> policy.role() == SelectedPolicy.Role.ENFORCE && whyNot(policy) == null);
            policies.add(policy(otherwise, enforced ? "an enforcing policy matches" : null));
        }
        return new Explanation(contents.version(), ask.staticDecision(), takesPlan ? plan.name() : null, policies);
    }

    private OfPolicy policy(SelectedPolicy policy, @Nullable String whyNot) {
        String live = policy.candidateOf();
        String role = policy.role().name().toLowerCase(Locale.ROOT) + (live == null ? "" : " of " + live);
        List<OfLimit> limits = new ArrayList<>();
        if (whyNot == null) {
            takesPlan |= policy.takesPlan();
            policy.limits().forEach(limit -> limits.add(limit(policy, limit)));
        }
        return new OfPolicy(policy.name(), role, whyNot, limits);
    }

    private @Nullable String whyNot(SelectedPolicy policy) {
        Condition failing = policy.match().firstFailing(subject);
        if (failing == null) {
            return null;
        }
        String attribute = failing.attribute();
        String value = subject.value(attribute);
        String found = value == null
                ? "the request has no " + attribute
                : contents.secrets().contains(attribute) ? attribute + " differs" : attribute + " is " + value;
        return found + " (wanted: " + failing.wanted() + ")";
    }

    private OfLimit limit(SelectedPolicy policy, SelectedLimit limit) {
        Line line = limit.line(plan);
        List<KeyValue> key = new ArrayList<>();
        List<@Nullable String> values = limit.values(subject, policy.match(), contents.routes());
        for (int i = 0; i < values.size(); i++) {
            key.add(new KeyValue(limit.parts().get(i).written(), values.get(i)));
        }
        if (line == null) {
            String why = "unlimited in the plan " + plan.name();
            return new OfLimit("", "unlimited", "", 0, "", key, List.of(), why);
        }
        LimitSettings settings = line.settings();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                missing.add(limit.parts().get(i).attribute());
            }
        }
        boolean skipped = limit.whenMissing() == WhenMissing.SKIP && !missing.isEmpty();
        return new OfLimit(
                settings.limit().id(),
                LimitText.of(settings.limit()),
                settings.limit().unit(),
                limit.cost().of(subject),
                line.counter(),
                key,
                notes(policy, line, skipped ? List.of() : missing),
                skipped ? "the request has no " + String.join(" and no ", missing) + " (when_missing: skip)" : null);
    }

    private List<String> notes(SelectedPolicy policy, Line line, List<String> missing) {
        LimitSettings settings = line.settings();
        List<String> notes = new ArrayList<>();
        if (!missing.isEmpty()) {
            notes.add("counted with all requests that have no " + String.join(" and no ", missing));
        }
        if (settings.place() == LimitSettings.Place.LOCAL) {
            notes.add("local limit, in each process");
        }
        String lease = leaseNote(policy, line);
        if (lease != null) {
            notes.add(lease);
        }
        BlockRule block = settings.block();
        if (block != null) {
            String after = block.denials() == 1
                    ? "a denial"
                    : block.denials() + " denials within " + Durations.text(block.within());
            notes.add("blocked for " + Durations.text(block.lasting()) + " after " + after);
        }
        if (settings.exposure() == LimitSettings.Exposure.HIDDEN) {
            notes.add("not shown to clients");
        }
        if (settings.place() == LimitSettings.Place.STORE
                && !settings.onStoreFailure().equals(USUAL_PLAN)) {
            notes.add("if the store fails: " + text(settings.onStoreFailure()));
        }
        return notes;
    }

    /** Returns how the limit and leases concern each other, or null if they do not. */
    private @Nullable String leaseNote(SelectedPolicy policy, Line line) {
        boolean isEnforced = policy.role() == SelectedPolicy.Role.ENFORCE;
        if (line.settings().place() == LimitSettings.Place.LOCAL) {
            return null;
        } else if (isEnforced && isLeased(line)) {
            return "leased: spent from permits drawn in advance while the key is busy";
        } else if (line.settings().consistency() == Consistency.LEASED) {
            return "not leased: " + (isEnforced ? "a leaky_bucket" : "a shadow policy") + " is decided by Redis";
        }
        return leased == null ? null : "decided by Redis, so leasing in " + leased + " saves no round trip";
    }

    private static String text(FailurePlan plan) {
        FailurePlan.Bound bound = plan.bound();
        String modes = word(plan.mode())
                + (bound == null ? "" : " for " + Durations.text(bound.time()) + ", then " + word(bound.then()));
        return plan.unseen() == FailurePlan.Unseen.ONE ? modes + "; unseen keys start with one permit" : modes;
    }

    private static String word(FailureMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
