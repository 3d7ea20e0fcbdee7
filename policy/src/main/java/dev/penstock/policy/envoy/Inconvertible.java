package dev.penstock.policy.envoy;

import dev.penstock.policy.internal.yaml.Findings;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds the parts of rules that policies cannot express. */
final class Inconvertible {
    /** Attributes that have a special meaning in policies. */
    private static final Map<String, String> TAKEN = Map.of(
            "domain", "the domain of the rules",
            "descriptor", "all keys together",
            "route", "a path that is matched against patterns",
            "method", "case-insensitive",
            "host", "a case-insensitive name without its port",
            "ip", "an address; IPv6 addresses count by their /64 network",
            "api_key", "a secret, never compared or stored in plain text");

    private static final Pattern ATTRIBUTE = Pattern.compile("[^\\s/\\[\\]{},]{1,128}");

    /** The maximum length of a value in a policy, in characters. */
    private static final int LONGEST_VALUE = 1_000;

    private final Findings findings;

    Inconvertible(Findings findings) {
        this.findings = findings;
    }

    /** Reports what cannot be converted in the last descriptor of the path. */
    void report(List<RuleBranch> path) {
        RuleBranch last = path.get(path.size() - 1);
        RuleNode node = last.node();
        String key = node.step().key();
        if (key.indexOf('*') >= 0) {
            refuseKey(node, "a key without *; only values can be wildcards");
        } else if (TAKEN.containsKey(key)) {
            refuseKey(node, "another name; in policies this attribute is " + TAKEN.get(key));
        } else if (!ATTRIBUTE.matcher(key).matches()) {
            refuseKey(node, "at most 128 characters, without spaces, slashes, commas and brackets");
        }
        if (path.stream()
                        .filter(branch -> branch.node().step().key().equals(key))
                        .count()
                > 1) {
            refuseKey(node, "each key only once on the path to a rule; an attribute has one value");
        }
        String value = node.step().value();
        if (value.length() > LONGEST_VALUE) {
            refuse(node, "value: " + value.length() + " characters (expected: at most " + LONGEST_VALUE + ")");
        }
        if (value.indexOf('*') >= 0 && value.indexOf('*') < value.length() - 1) {
            refuse(
                    node,
                    "value: " + OneLine.of(value)
                            + " (expected: * only at the end; policies support prefixes but no other wildcards)");
        }
        if (node.rule() != null) {
            reportRule(node, node.rule());
        }
    }

    private void reportRule(RuleNode node, EnvoyRule rule) {
        if (!rule.replaces().isEmpty()) {
            String names = String.join(", ", rule.replaces());
            refuse(node, "replaces: " + OneLine.of(names) + " (expected: none; a policy cannot replace another)");
        }
        if (rule.isQuota() && !rule.isUnlimited()) {
            refuse(node, "quota_mode: true (expected: false; each policy denies on its own)");
        }
        if (rule.isBlocking() && rule.isShadow()) {
            String expected = "above 0 in shadow mode; the deny list has no shadow mode";
            refuse(node, "requests_per_unit: 0 (expected: " + expected + ")");
        }
    }

    private void refuseKey(RuleNode node, String expected) {
        refuse(node, "key: " + OneLine.of(node.step().key()) + " (expected: " + expected + ")");
    }

    private void refuse(RuleNode node, String problem) {
        RuleNode.Place place = node.place();
        findings.add(place.file(), place.at(), place.path(), problem);
    }
}
