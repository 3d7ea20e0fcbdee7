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

/** A {@code rate_limit} of a file with all that stands around it, or the limit that came with a descriptor. Immutable. */
public final class EnvoyRule {
    /** The most that a file can allow in a unit. */
    public static final long MOST_REQUESTS = 0xffff_ffffL;

    /** What a descriptor of a file, or its limit, says besides numbers. */
    enum Flag {
        UNLIMITED,
        SHADOW_MODE,
        QUOTA_MODE,
        DETAILED_METRIC,
        /** It stands in no file, but came with a descriptor. */
        OF_REQUEST
    }

    /** What each limit is called that came with a descriptor. No name of a rule is like it: those have a {@code /}. */
    public static final String OVERRIDE = "(override)";

    /** How many in which time; without a unit only where it is unlimited. */
    record Numbers(long requestsPerUnit, @Nullable EnvoyUnit unit) {}

    /** What it belongs to. */
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
    private final @Nullable LimitSettings observed;

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
            observed = null;
        } else {
            enforced = LimitSettings.of(policy, Limit.fixedWindow(numbers.requestsPerUnit(), unit.length()))
                    .version(origin.version());
            observed = enforced.enforcement(Enforcement.SHADOW);
        }
    }

    /**
     * The limit that comes with a descriptor: never a shadow, never a quota, and nothing replaces it. It counts where a rule
     * for these keys would.
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
     * The name under which its charges are reported: the domain and the way to it, {@code edge/path=%2Fa/user}; or
     * {@value #OVERRIDE}, since names become labels of metrics, and nothing of a request does.
     */
    public String policy() {
        return policy;
    }

    /** The way to it as that service's messages have it. */
    String composite() {
        return domain + path.stream().map(step -> "." + step.composite()).collect(Collectors.joining());
    }

    public String domain() {
        return domain;
    }

    /** How many requests it allows in a unit; 0 blocks all. */
    public long requestsPerUnit() {
        return numbers.requestsPerUnit();
    }

    /** Null only where it is unlimited. */
    public @Nullable EnvoyUnit unit() {
        return numbers.unit();
    }

    /** What the file calls it; empty where it does not. */
    public String name() {
        return name;
    }

    /** The names of the rules that do not count in a request which meets this one. */
    public List<String> replaces() {
        return replaces;
    }

    public boolean isUnlimited() {
        return flags.contains(Flag.UNLIMITED);
    }

    /** Whether it lets everything pass, and only tells what it would have done. */
    public boolean isShadow() {
        return flags.contains(Flag.SHADOW_MODE);
    }

    /** Whether it denies only together with the other {@linkplain EnvoyDescriptor#quotaGroup quotas} of the request. */
    public boolean isQuota() {
        return flags.contains(Flag.QUOTA_MODE);
    }

    /** Whether nothing passes that costs anything. */
    public boolean isBlocking() {
        return enforced == null && !isUnlimited();
    }

    /** Free form: texts, numbers as {@link Double}, truths, null, lists, and mappings by text. */
    public Map<String, @Nullable Object> metadata() {
        return metadata;
    }

    /** The name that service gives the rule's statistics for a descriptor that it matched, in its spelling. */
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

    /** What a descriptor that it matched is charged; not for a rule that is unlimited or blocks. */
    Charge charge(EnvoyDescriptor descriptor, Enforcement enforcement, long cost) {
        LimitSettings settings = enforcement == Enforcement.ENFORCED ? enforced : observed;
        return Charge.of(Expect.present(settings, "terms"), key(descriptor), cost);
    }

    /** The descriptor's values under the names of its keys; all values that one wildcard shares are the wildcard itself. */
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
