package dev.penstock.policy.envoy;

import dev.penstock.policy.internal.file.PolicyFiles;
import dev.penstock.policy.internal.yaml.SourceFile;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names for the policies that rules are converted into, made of the domain and the keys. If a name would be too long,
 * or two rules would share it, it ends in a hash of the rule. A name therefore does not depend on other rules or on
 * their order.
 */
final class PolicyNames {
    private static final int LONGEST = 64;
    private static final int HASH_LENGTH = 8;

    private final Map<String, Integer> timesByPlainName = new HashMap<>();

    PolicyNames(Collection<EnvoyRule> rules) {
        rules.forEach(rule -> timesByPlainName.merge(plain(rule), 1, Integer::sum));
    }

    String of(EnvoyRule rule) {
        String plain = plain(rule);
        if (plain.length() <= LONGEST && timesByPlainName.getOrDefault(plain, 0) == 1) {
            return plain;
        }
        String kept = plain.substring(0, Math.min(plain.length(), LONGEST - HASH_LENGTH - 1));
        return kept + "-"
                + PolicyFiles.hash(List.of(SourceFile.of("rule", rule.policy())))
                        .substring(0, HASH_LENGTH);
    }

    /** Returns the path of the rule, reduced to letters, digits, {@code _}, {@code -} and {@code .}. */
    private static String plain(EnvoyRule rule) {
        return rule.composite()
                .replace("*", "-any")
                .replaceAll("[^A-Za-z0-9_.-]+", "-")
                .replaceAll("([_.-])-+", "$1")
                .replaceAll("-+(?=\\.|$)", "");
    }
}
