package dev.penstock.policy.envoy;

import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.RuleBranch.Values;
import dev.penstock.policy.internal.yaml.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts Envoy rules into a policy file that makes the same decisions.
 *
 * <p>With that file, send every descriptor as a {@linkplain EnvoyDescriptor#request separate request}. All matching
 * policies apply together.
 */
public final class EnvoyConverter {
    /** A rule with the path of descriptors that leads to it. */
    private record Branches(EnvoyRule rule, List<RuleBranch> path) {}

    private final Findings findings = new Findings();
    private final Inconvertible inconvertible = new Inconvertible(findings);
    private final List<Branches> found = new ArrayList<>();

    private EnvoyConverter() {}

    /**
     * Returns the policy file.
     *
     * @throws PolicyErrors with everything in the rules that policies cannot express
     */
    public static String convert(EnvoyRules rules) throws PolicyErrors {
        EnvoyConverter converter = new EnvoyConverter();
        Expect.present(rules, "rules").nodes().values().forEach(nodes -> converter.collect(nodes, List.of()));
        converter.findings.throwIfAny();
        return converter.file();
    }

    private void collect(List<RuleNode> nodes, List<RuleBranch> above) {
        for (RuleNode node : nodes) {
            List<RuleBranch> path = new ArrayList<>(above);
            path.add(new RuleBranch(node, nodes));
            inconvertible.report(path);
            if (node.rule() != null && !node.rule().isUnlimited()) {
                found.add(new Branches(node.rule(), path));
            }
            collect(node.descriptors(), path);
        }
    }

    private String file() {
        PolicyNames names = new PolicyNames(found.stream().map(Branches::rule).toList());
        StringBuilder policies = new StringBuilder();
        StringBuilder denied = new StringBuilder();
        for (Branches each : found) {
            EnvoyRule rule = each.rule();
            String match = match(each);
            EnvoyUnit unit = rule.unit();
            if (match == null || unit == null) {
                continue;
            }
            if (rule.isBlocking()) {
                denied.append("  - name: ").append(names.of(rule)).append("\n    match: ");
                denied.append(match).append('\n');
                continue;
            }
            policies.append("  - name: ").append(names.of(rule)).append("\n    match: ");
            policies.append(match).append("\n    limits: [ { key: ").append(key(each));
            policies.append(", fixed_window: ").append(PolicyText.rate(rule.requestsPerUnit(), unit));
            policies.append(rule.isShadow() ? " } ]\n    mode: shadow\n" : " } ]\n");
        }
        return HEADER
                + "version: 1\n"
                + (denied.isEmpty() ? "" : "deny:\n" + denied)
                + (policies.isEmpty() ? "" : "policies:\n" + policies);
    }

    private static final String HEADER = """
            # Rules of envoyproxy/ratelimit. A request here is one descriptor: attributes domain, descriptor (its keys, joined
            # by "/"), and each key with its value. Names, metadata, detailed_metric and value_to_metric are left
            # out, because they do not affect decisions.
            """;

    /** Returns the conditions on a descriptor; null if no descriptor can reach this rule. */
    private static @Nullable String match(Branches each) {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("domain", PolicyText.quoted(each.rule().domain()));
        List<String> keys =
                each.path().stream().map(branch -> branch.node().step().key()).toList();
        conditions.put("descriptor", PolicyText.quoted(KeyPath.of(keys)));
        for (RuleBranch branch : each.path()) {
            Values values = branch.values();
            if (values == null) {
                return null;
            }
            String condition = PolicyText.condition(values);
            if (!condition.isEmpty()) {
                conditions.put(PolicyText.quoted(branch.node().step().key()), condition);
            }
        }
        List<String> words = new ArrayList<>();
        conditions.forEach((word, condition) -> words.add(word + ": " + condition));
        return "{ " + String.join(", ", words) + " }";
    }

    /**
     * Returns the keys whose values are counted separately: those that can have several values and do not share one
     * count.
     */
    private static String key(Branches each) {
        return PolicyText.list(each.path().stream()
                .map(branch -> branch.node().step())
                .filter(step -> step.value().isEmpty() || (step.isWildcard() && !step.isShared()))
                .map(RuleStep::key)
                .toList());
    }
}
