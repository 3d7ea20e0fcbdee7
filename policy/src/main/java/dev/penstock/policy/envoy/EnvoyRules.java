package dev.penstock.policy.envoy;

import dev.penstock.Costs;
import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.internal.file.PolicyFiles;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.PolicyVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of envoyproxy/ratelimit's files, unchanged. Finds the rule for each descriptor of a request.
 *
 * <p>Immutable and thread-safe. Rules are chosen as envoyproxy/ratelimit chooses them, with one difference: keys and
 * values are never joined, so that key {@code a_b} and key {@code a} with value {@code b} stay distinct.
 */
public final class EnvoyRules {
    /** How to handle a domain that is defined in several files. */
    public enum SameDomain {
        /** The domain is an error, which is also envoyproxy/ratelimit's default. */
        REFUSED,
        /** The domain's descriptors are merged in the order of the files ({@code MERGE_DOMAIN_CONFIG}). */
        MERGED
    }

    private static final EnvoyMatch NONE = new EnvoyMatch.None();

    private final PolicyVersion version;
    private final Map<String, List<RuleNode>> domains;
    private final Map<String, Level> levels = new HashMap<>();
    private final List<PolicyError> ignored;

    private EnvoyRules(PolicyVersion version, Map<String, List<RuleNode>> domains, List<PolicyError> ignored) {
        this.version = version;
        this.domains = domains;
        this.ignored = ignored;
        domains.forEach((domain, nodes) -> levels.put(domain, Level.of(nodes)));
    }

    /**
     * Loads the rules of files. A directory stands for all of its {@code *.yaml} and {@code *.yml} files. Each domain
     * may be in only one file.
     *
     * @throws PolicyErrors with all errors in all of the files
     */
    public static EnvoyRules load(Path... paths) throws PolicyErrors {
        return loader().load(Arrays.asList(Expect.present(paths, "paths")));
    }

    /** Parses rules from a text. Errors refer to it by the given name. */
    public static EnvoyRules parse(String name, String text) throws PolicyErrors {
        return loader().parse(name, text);
    }

    /** Returns a loader with default settings. */
    public static Loader loader() {
        return new Loader();
    }

    /**
     * Returns the match of each descriptor of a request, in order. Two descriptors that match the same rule on the same
     * key are two charges.
     *
     * @param requestHitsAddend the cost of descriptors that do not set one; 0 means that the request does not set it
     *     either, and the cost is 1
     */
    public List<EnvoyMatch> select(String domain, List<EnvoyDescriptor> descriptors, long requestHitsAddend) {
        Expect.text(domain, "domain");
        Expect.that(!Expect.present(descriptors, "descriptors").isEmpty(), "descriptors", "[]", "at least one");
        if (requestHitsAddend < 0 || requestHitsAddend > Costs.MAX) {
            Expect.between(requestHitsAddend, 0, Costs.MAX, "hits_addend");
        }
        @Nullable EnvoyRule[] rules = new EnvoyRule[descriptors.size()];
        Level level = levels.get(domain);
        if (level != null) {
            for (int i = 0; i < rules.length; i++) {
                rules[i] = rule(domain, level, descriptors.get(i));
            }
            dropReplaced(rules);
        }
        Enforcement ofQuotas = hasSeveralQuotaGroups(rules, descriptors) ? Enforcement.SHADOW : Enforcement.ENFORCED;
        List<EnvoyMatch> matches = new ArrayList<>(rules.length);
        for (int i = 0; i < rules.length; i++) {
            matches.add(match(rules[i], descriptors.get(i), requestHitsAddend, ofQuotas));
        }
        return Collections.unmodifiableList(matches);
    }

    private @Nullable EnvoyRule rule(String domain, Level level, EnvoyDescriptor descriptor) {
        EnvoyDescriptor.LimitOverride own = descriptor.limit();
        return own == null
                ? level.rule(descriptor.entries())
                : EnvoyRule.ofRequest(new EnvoyRule.Origin(domain, version), descriptor, own);
    }

    /**
     * Returns the match of a descriptor that brings its own limit, in a domain that has no rules. The version is that
     * of the policies in use.
     */
    public static EnvoyMatch overridden(
            String domain, EnvoyDescriptor descriptor, long requestHitsAddend, PolicyVersion version) {
        EnvoyDescriptor.LimitOverride own = Expect.present(descriptor.limit(), "limit");
        EnvoyRule rule = EnvoyRule.ofRequest(new EnvoyRule.Origin(domain, version), descriptor, own);
        return match(rule, descriptor, requestHitsAddend, Enforcement.ENFORCED);
    }

    /**
     * Removes the rules that others replace. A replaced rule still replaces others. An unlimited rule is never
     * replaced.
     */
    private static void dropReplaced(@Nullable EnvoyRule[] rules) {
        Set<String> replaced = null;
        for (EnvoyRule rule : rules) {
            if (rule != null && !rule.replaces().isEmpty()) {
                replaced = replaced == null ? new HashSet<>() : replaced;
                replaced.addAll(rule.replaces());
            }
        }
        for (int i = 0; replaced != null && i < rules.length; i++) {
            EnvoyRule rule = rules[i];
            if (rule != null && !rule.isUnlimited() && replaced.contains(rule.name())) {
                rules[i] = null;
            }
        }
    }

    private static boolean hasSeveralQuotaGroups(@Nullable EnvoyRule[] rules, List<EnvoyDescriptor> descriptors) {
        String group = null;
        for (int i = 0; i < rules.length; i++) {
            EnvoyRule rule = rules[i];
            if (rule != null && rule.isQuota() && !rule.isUnlimited()) {
                String its = descriptors.get(i).quotaGroup();
                if (group != null && !group.equals(its)) {
                    return true;
                }
                group = its;
            }
        }
        return false;
    }

    private static EnvoyMatch match(
            @Nullable EnvoyRule rule, EnvoyDescriptor descriptor, long requestHitsAddend, Enforcement ofQuotas) {
        if (rule == null) {
            return NONE;
        }
        if (rule.isUnlimited()) {
            return new EnvoyMatch.Unlimited(rule);
        }
        long cost = descriptor.cost(requestHitsAddend);
        if (rule.isBlocking()) {
            return new EnvoyMatch.Blocked(rule, cost);
        }
        Enforcement enforcement =
                rule.isShadow() ? Enforcement.SHADOW : rule.isQuota() ? ofQuotas : Enforcement.ENFORCED;
        return new EnvoyMatch.Counted(rule, rule.charge(descriptor, enforcement, cost));
    }

    /**
     * Returns the charge at no cost of the rule that counts the descriptor alone; null if no rule counts it. For
     * operators.
     */
    public @Nullable Charge charge(String domain, EnvoyDescriptor descriptor) {
        return select(domain, List.of(descriptor), 0).get(0) instanceof EnvoyMatch.Counted counted
                ? counted.charge().at(0)
                : null;
    }

    /** Returns the keys of the descriptors that are counted under this name; empty if its domain has no rules. */
    public List<String> keyParts(String counter) {
        List<String> path = KeyPath.parts(counter);
        return domains.containsKey(path.get(0)) ? path.subList(1, path.size()) : List.of();
    }

    /** Returns the domains of all files. */
    public Set<String> domains() {
        return Set.copyOf(domains.keySet());
    }

    /** Returns the number of rules in all domains. */
    public int size() {
        return domains.values().stream().mapToInt(EnvoyRules::size).sum();
    }

    private static int size(List<RuleNode> nodes) {
        return nodes.stream()
                .mapToInt(node -> (node.rule() == null ? 0 : 1) + size(node.descriptors()))
                .sum();
    }

    /**
     * Returns known words in places where they have no effect. They are loaded and ignored, as in envoyproxy/ratelimit,
     * but reported.
     */
    public List<PolicyError> ignored() {
        return ignored;
    }

    /** Returns the version of these rules, which every decision reports. */
    public PolicyVersion version() {
        return version;
    }

    /** Returns every domain's descriptors in the structure of the files. */
    Map<String, List<RuleNode>> nodes() {
        return domains;
    }

    @Override
    public String toString() {
        return "EnvoyRules(" + version + ", " + domains.size() + " domains)";
    }

    /** Loads rules. Not thread-safe. */
    public static final class Loader {
        private SameDomain sameDomain = SameDomain.REFUSED;
        private long number = 1;

        private Loader() {}

        /** Sets how to handle a domain that is defined in several files. The default is to refuse it. */
        public Loader sameDomain(SameDomain choice) {
            sameDomain = Expect.present(choice, "sameDomain");
            return this;
        }

        /** Sets the version number. The default is 1. */
        public Loader number(long other) {
            number = Expect.positive(other, "number");
            return this;
        }

        /** Loads the files as one set of rules. A directory stands for the YAML files in it. */
        public EnvoyRules load(List<Path> paths) throws PolicyErrors {
            Expect.that(!paths.isEmpty(), "paths", paths, "at least one");
            Findings findings = new Findings();
            return load(PolicyFiles.read(paths, findings), findings);
        }

        /** Parses a text. Errors give its name instead of a file name. */
        public EnvoyRules parse(String name, String text) throws PolicyErrors {
            Expect.text(name, "name");
            Expect.present(text, "text");
            return load(List.of(SourceFile.of(name, text)), new Findings());
        }

        EnvoyRules load(List<SourceFile> files, Findings findings) throws PolicyErrors {
            PolicyVersion version = new PolicyVersion(number, PolicyFiles.hash(files));
            Findings ignored = new Findings();
            RuleReader reader = new RuleReader(version, sameDomain, findings, ignored);
            files.forEach(reader::read);
            findings.throwIfAny();
            return new EnvoyRules(version, reader.domains(), ignored.all());
        }
    }
}
