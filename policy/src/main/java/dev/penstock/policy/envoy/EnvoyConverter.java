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
 * Writes rules as a policy file that decides the same.
 *
 * <p>There every descriptor is a {@linkplain EnvoyDescriptor#request request of its own}, and all policies that match apply
 * together.
 */
public final class EnvoyConverter {
    /** A rule with all that leads to it. */
    private record Branches(EnvoyRule rule, List<RuleBranch> path) {}

    private final Findings findings = new Findings();
    private final Inconvertible inconvertible = new Inconvertible(findings);
    private final List<Branches> found = new ArrayList<>();

    private EnvoyConverter() {}

    /**
     * The policy file.
     *
     * @throws PolicyErrors everything in the rules' files that no policy can say
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
            # by "/"), and each key with its value. Names, metadata, detailed_metric and value_to_metric change no decision,
            # and are left out.
            """;

    /** What must hold of a descriptor; null where no descriptor can come to this rule. */
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

    /** The keys whose values are counted apart: those that can have several, and do not share. */
    private static String key(Branches each) {
        return PolicyText.list(each.path().stream()
                .map(branch -> branch.node().step())
                .filter(step -> step.value().isEmpty() || (step.isWildcard() && !step.isShared()))
                .map(RuleStep::key)
                .toList());
    }
}
