package dev.penstock.policy.envoy;

import dev.penstock.Limit;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicyVersion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@code rate_limit} of a file with its domain and descriptors, or the limit that came with a descriptor. Immutable.
 */
public final class EnvoyRule {
    /** The largest number of requests per unit that a file can allow. */
    public static final long MOST_REQUESTS = 0xffff_ffffL;

    /** Settings of a descriptor or its limit other than its numbers. */
    enum Flag {
        UNLIMITED,
        SHADOW_MODE,
        QUOTA_MODE,
        DETAILED_METRIC,
        /** The limit came with a descriptor and is in no file. */
        OF_REQUEST
    }

    /**
     * The name of every limit that came with a descriptor. No rule can have this name, because rule names contain
     * {@code /}.
     */
    public static final String OVERRIDE = "(override)";

    /** The number of requests per unit of time. The unit is null only if the rule is unlimited. */
    record Numbers(long requestsPerUnit, @Nullable EnvoyUnit unit) {}

    /** The domain and the version that a rule belongs to. */
    record Origin(String domain, PolicyVersion version) {}

    private final String domain;
    private final List<RuleStep> path;
    private final Numbers numbers;
    private final String name;
    private final List<String> replaces;
    private final Set<Flag> flags;
    private final Map<String, @Nullable Object> metadata;
    private final String policy;
    private final String counter;
    private final boolean hasKeyWildcard;
    private final @Nullable LimitSettings enforced;
    private final @Nullable LimitSettings shadow;

    EnvoyRule(
            Origin origin,
            List<RuleStep> path,
            Numbers numbers,
            String name,
            List<String> replaces,
            Set<Flag> flags,
            Map<String, @Nullable Object> metadata) {
        this.domain = origin.domain();
        this.path = List.copyOf(path);
        this.numbers = numbers;
        this.name = name;
        this.replaces = List.copyOf(replaces);
        this.flags = Set.copyOf(flags);
        this.metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        this.policy = flags.contains(Flag.OF_REQUEST) ? OVERRIDE : way(origin.domain(), path);
        this.counter = counter(path.stream().map(RuleStep::key).toList());
        this.hasKeyWildcard = path.stream().anyMatch(step -> step.key().indexOf('*') >= 0);
        EnvoyUnit unit = numbers.unit();
        if (unit == null || numbers.requestsPerUnit() == 0 || flags.contains(Flag.UNLIMITED)) {
            enforced = null;
            shadow = null;
        } else {
            enforced = LimitSettings.of(policy, Limit.fixedWindow(numbers.requestsPerUnit(), unit.length()))
                    .version(origin.version());
            shadow = enforced.enforcement(Enforcement.SHADOW);
        }
    }

    /**
     * Creates the rule for a limit that came with a descriptor. It is never in shadow or quota mode, and nothing
     * replaces it. It counts under the same name as a rule for these keys would.
     */
    static EnvoyRule ofRequest(Origin origin, EnvoyDescriptor descriptor, EnvoyDescriptor.LimitOverride limit) {
        List<RuleStep> path = descriptor.entries().stream()
                .map(entry -> new RuleStep(entry.key(), "", Set.of(RuleStep.Trait.VALUE_TO_METRIC)))
                .toList();
        Numbers numbers = new Numbers(limit.requestsPerUnit(), limit.unit());
        return new EnvoyRule(origin, path, numbers, "", List.of(), Set.of(Flag.OF_REQUEST), Map.of());
    }

    private static String way(String domain, List<RuleStep> path) {
        String way = path.stream()
                .map(step -> step.value().isEmpty()
                        ? KeyPath.escaped(step.key())
                        : KeyPath.escaped(step.key()) + "=" + KeyPath.escaped(step.value()))
                .collect(Collectors.joining("/"));
        return KeyPath.escaped(domain) + "/" + way;
    }

    /**
     * Returns the name under which its charges are reported: the domain and the path to the rule,
     * {@code edge/path=%2Fa/user}. A limit that came with a descriptor is reported as {@value #OVERRIDE}: names become
     * metric labels, which must not contain text from requests.
     */
    public String policy() {
        return policy;
    }

    /** Returns the path to the rule, as envoyproxy/ratelimit's messages spell it. */
    String composite() {
        return domain + path.stream().map(step -> "." + step.composite()).collect(Collectors.joining());
    }

    /** Returns the domain that the rule belongs to. */
    public String domain() {
        return domain;
    }

    /** Returns the number of requests it allows per unit; 0 blocks all. */
    public long requestsPerUnit() {
        return numbers.requestsPerUnit();
    }

    /** Returns the unit, which is null only if the rule is unlimited. */
    public @Nullable EnvoyUnit unit() {
        return numbers.unit();
    }

    /** Returns the rule's name in the file; empty if it has none. */
    public String name() {
        return name;
    }

    /** Returns the names of the rules that do not count in a request that matches this one. */
    public List<String> replaces() {
        return replaces;
    }

    /** Returns whether the rule lets every request pass without counting it. */
    public boolean isUnlimited() {
        return flags.contains(Flag.UNLIMITED);
    }

    /** Returns true if the rule lets everything pass and only reports what it would have denied. */
    public boolean isShadow() {
        return flags.contains(Flag.SHADOW_MODE);
    }

    /**
     * Returns true if the rule denies only together with the request's other {@linkplain EnvoyDescriptor#quotaGroup
     * quotas}.
     */
    public boolean isQuota() {
        return flags.contains(Flag.QUOTA_MODE);
    }

    /** Returns true if the rule denies everything that has a cost. */
    public boolean isBlocking() {
        return enforced == null && !isUnlimited();
    }

    /**
     * Returns the free-form metadata: texts, numbers as {@link Double}, booleans, null, lists, and maps with text keys.
     */
    public Map<String, @Nullable Object> metadata() {
        return metadata;
    }

    /** Returns the name of the rule's statistics for a matching descriptor, as envoyproxy/ratelimit spells it. */
    public String metric(EnvoyDescriptor descriptor) {
        boolean detailed = flags.contains(Flag.DETAILED_METRIC);
        boolean shares = path.stream().anyMatch(RuleStep::isShared);
        StringBuilder text = new StringBuilder(domain);
        for (int i = 0; i < path.size(); i++) {
            EnvoyDescriptor.Entry entry = descriptor.entries().get(i);
            String value = path.get(i).metricValue(entry, detailed);
            text.append('.').append(entry.key());
            if (!value.isEmpty() || (detailed && !shares)) {
                text.append('_').append(value);
            }
        }
        return text.toString();
    }

    /** Returns the charge for a matching descriptor. Must not be called on a rule that is unlimited or blocks. */
    Charge charge(EnvoyDescriptor descriptor, Enforcement enforcement, long cost) {
        LimitSettings settings = enforcement == Enforcement.ENFORCED ? enforced : shadow;
        return Charge.of(Expect.present(settings, "settings"), key(descriptor), cost);
    }

    /**
     * Returns the descriptor's values under the names of its keys. If a wildcard shares its count, the wildcard
     * replaces the values.
     */
    private Key key(EnvoyDescriptor descriptor) {
        List<EnvoyDescriptor.Entry> entries = descriptor.entries();
        String name = hasKeyWildcard
                ? counter(entries.stream().map(EnvoyDescriptor.Entry::key).toList())
                : counter;
        if (entries.size() == 1) {
            return Key.of(name, path.get(0).countedValue(entries.get(0)));
        }
        @Nullable String[] values = new String[entries.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = path.get(i).countedValue(entries.get(i));
        }
        return Key.of(name, List.of(values));
    }

    private String counter(List<String> keys) {
        return KeyPath.escaped(domain) + "/" + KeyPath.of(keys);
    }

    @Override
    public String toString() {
        EnvoyUnit unit = numbers.unit();
        return policy + (unit == null ? " unlimited" : " " + numbers.requestsPerUnit() + "/" + unit.word());
    }
}
