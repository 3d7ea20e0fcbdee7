package dev.penstock.policy.internal.read;

import dev.penstock.policy.PolicyCounts;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.select.ListEntry;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of all files, with their places, before cross-references are checked. Filled while the files are read.
 */
final class Drafts {
    final Set<String> secrets = new LinkedHashSet<>();
    final List<RoutePattern> routes = new ArrayList<>();
    final Map<String, PolicyDraft> policies = new LinkedHashMap<>();
    final Map<String, PlanDraft> plans = new LinkedHashMap<>();
    final Map<String, TenantDraft> tenants = new LinkedHashMap<>();
    final List<ListEntry> allow = new ArrayList<>();
    final List<ListEntry> deny = new ArrayList<>();
    int files;
    StaticDecision.Verdict otherwise = StaticDecision.Verdict.ALLOW;

    @Nullable
    PolicyDraft defaultPolicy;

    @Nullable
    Field defaultPlan;

    PolicyCounts counts() {
        List<PolicyDraft> all = new ArrayList<>(policies.values());
        if (defaultPolicy != null) {
            all.add(defaultPolicy);
        }
        int limits = all.stream().mapToInt(policy -> policy.limits().size()).sum();
        return new PolicyCounts(files, all.size(), limits, plans.size(), tenants.size());
    }
}
