package dev.penstock.policy.envoy;

import dev.penstock.policy.internal.file.PolicyFiles;
import dev.penstock.policy.internal.yaml.SourceFile;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names for the policies that rules become, made of domain and keys. A name that would be too long, or that two rules would
 * have, ends in a hash of all that it stands for: so no name depends on what else is there, or on the order.
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

    /** Letters, digits, {@code _}, {@code -} and {@code .}, whatever the rule's way has. */
    private static String plain(EnvoyRule rule) {
        return rule.composite()
                .replace("*", "-any")
                .replaceAll("[^A-Za-z0-9_.-]+", "-")
                .replaceAll("([_.-])-+", "$1")
                .replaceAll("-+(?=\\.|$)", "");
    }
}
