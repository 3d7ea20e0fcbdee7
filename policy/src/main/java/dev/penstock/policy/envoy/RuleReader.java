package dev.penstock.policy.envoy;

import dev.penstock.policy.PolicyError;
import dev.penstock.policy.envoy.EnvoyRule.Flag;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.policy.envoy.RuleNode.Place;
import dev.penstock.policy.envoy.RuleStep.Trait;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.Position;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.YamlReader;
import dev.penstock.spi.PolicyVersion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads envoyproxy/ratelimit's files into trees. Checks in its order and reports its errors, but all of them instead of
 * the first.
 *
 * <p>A known word in a place where it has no effect is ignored, as in that service, and noted.
 */
final class RuleReader {
    private static final String NO_DOMAIN = "config file cannot have empty domain (expected: domain: NAME)";
    private static final String UNITS = "second, minute, hour, day, week, month or year";

    private final PolicyVersion version;
    private final Findings findings;
    private final Findings ignored;
    private final SameDomain sameDomain;
    private final Map<String, List<RuleNode>> domains = new LinkedHashMap<>();
    private final Map<String, Place> domainPlaces = new HashMap<>();
    private final Map<String, Map<RuleStepName, Place>> topNames = new HashMap<>();

    /** A key and value, which must be unique among siblings. */
    private record RuleStepName(String key, String value) {}

    RuleReader(PolicyVersion version, SameDomain sameDomain, Findings findings, Findings ignored) {
        this.version = version;
        this.sameDomain = sameDomain;
        this.findings = findings;
        this.ignored = ignored;
    }

    /** Returns the descriptors of every domain read so far, in the order of the files. */
    Map<String, List<RuleNode>> domains() {
        return domains;
    }

    void read(SourceFile file) {
        if (file.lines().stream().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
            findings.add(file.name(), NO_DOMAIN);
            return;
        }
        Findings unreadable = new Findings();
        Field root = YamlReader.read(file, unreadable);
        for (PolicyError error : unreadable.all()) {
            Position at = new Position(error.line(), error.column());
            findings.add(file, at, error.path(), "error loading config file: " + error.problem());
        }
        if (root != null) {
            new OfFile(file).read(root);
        }
    }

    /** Reads one file. */
    private final class OfFile {
        private final SourceFile file;
        private final RuleWords words;

        OfFile(SourceFile file) {
            this.file = file;
            this.words = new RuleWords(file, findings, ignored);
        }

        void read(Field root) {
            Map<String, Field> fields = words.checked(root);
            if (fields == null) {
                return;
            }
            String domain = words.text(fields.get("domain"));
            if (domain == null) {
                domain = file.name(); // so that the rest is checked too
            } else if (domain.isEmpty()) {
                Field at = fields.getOrDefault("domain", root);
                words.report(at, NO_DOMAIN);
                domain = file.name();
            } else {
                Place place = words.place(fields.getOrDefault("domain", root));
                Place before = domainPlaces.putIfAbsent(domain, place);
                if (before != null && sameDomain == SameDomain.REFUSED) {
                    String expected = "a domain in only one file, or merged domains; it is also at " + before;
                    words.report(
                            place,
                            "duplicate domain '" + OneLine.of(domain) + "' in config file (expected: " + expected
                                    + ")");
                }
            }
            Map<RuleStepName, Place> names = topNames.computeIfAbsent(domain, key -> new HashMap<>());
            List<RuleNode> nodes = descriptors(fields.get("descriptors"), domain, List.of(), names);
            domains.computeIfAbsent(domain, key -> new ArrayList<>()).addAll(nodes);
        }

        private List<RuleNode> descriptors(
                @Nullable Field list, String domain, List<RuleStep> above, Map<RuleStepName, Place> names) {
            List<RuleNode> nodes = new ArrayList<>();
            for (Field each : words.mappings(list)) {
                RuleNode node = descriptor(each, domain, above);
                RuleStep step = node.step();
                Place before = names.putIfAbsent(new RuleStepName(step.key(), step.value()), node.place());
                if (before != null && !step.key().isEmpty()) {
                    String composite = composite(domain, above) + "." + step.composite();
                    words.report(
                            each,
                            "duplicate descriptor composite key '" + OneLine.of(composite)
                                    + "' (expected: once; it is also at " + before + ")");
                }
                nodes.add(node);
            }
            return nodes;
        }

        private static String composite(String domain, List<RuleStep> path) {
            StringBuilder text = new StringBuilder(domain);
            path.forEach(step -> text.append('.').append(step.composite()));
            return text.toString();
        }

        private RuleNode descriptor(Field field, String domain, List<RuleStep> above) {
            Map<String, Field> fields = words.fields(field, RuleWords.OF_A_DESCRIPTOR);
            String key = words.text(fields.get("key"));
            if (key != null && key.isEmpty()) {
                words.report(fields.getOrDefault("key", field), "descriptor has empty key (expected: a text)");
            }
            Set<Trait> traits = EnumSet.noneOf(Trait.class);
            if (words.truth(fields.get("value_to_metric"))) {
                traits.add(Trait.VALUE_TO_METRIC);
            }
            String value = words.text(fields.get("value"));
            if (words.truth(fields.get("share_threshold"))) {
                traits.add(Trait.SHARE_THRESHOLD);
            }
            RuleStep step = new RuleStep(key == null ? "" : key, value == null ? "" : value, Set.copyOf(traits));
            if (step.isShared() && !step.isWildcard()) {
                words.report(
                        fields.getOrDefault("share_threshold", field),
                        "share_threshold can only be used with wildcard values (containing '*'), but found key '"
                                + OneLine.of(step.composite()) + "'");
            }
            List<RuleStep> path = new ArrayList<>(above);
            path.add(step);
            EnvoyRule rule = rule(fields, domain, path);
            List<RuleNode> below = descriptors(fields.get("descriptors"), domain, path, new HashMap<>());
            return new RuleNode(words.place(field), step, rule, below);
        }

        private @Nullable EnvoyRule rule(Map<String, Field> of, String domain, List<RuleStep> path) {
            Set<Flag> flags = EnumSet.noneOf(Flag.class);
            addIf(words.truth(of.get("shadow_mode")), Flag.SHADOW_MODE, flags);
            addIf(words.truth(of.get("quota_mode")), Flag.QUOTA_MODE, flags);
            addIf(words.truth(of.get("detailed_metric")), Flag.DETAILED_METRIC, flags);
            Map<String, @Nullable Object> metadata = words.freeForm(of.get("metadata"));
            Field limit = words.mapping(of.get("rate_limit"));
            if (limit == null) {
                return null;
            }
            Map<String, Field> fields = words.fields(limit, RuleWords.OF_A_LIMIT);
            addIf(words.truth(fields.get("unlimited")), Flag.UNLIMITED, flags);
            EnvoyUnit unit = unit(limit, fields, flags.contains(Flag.UNLIMITED));
            long requests = words.count(fields.get("requests_per_unit"), EnvoyRule.MOST_REQUESTS);
            String said = words.text(fields.get("name"));
            String name = said == null ? "" : said;
            List<String> replaces = replaces(fields.get("replaces"), name);
            if (unit == null && !flags.contains(Flag.UNLIMITED)) {
                return null;
            }
            EnvoyRule.Origin origin = new EnvoyRule.Origin(domain, version);
            EnvoyRule.Numbers numbers = new EnvoyRule.Numbers(requests, unit);
            return new EnvoyRule(origin, path, numbers, name, replaces, flags, metadata);
        }

        private @Nullable EnvoyUnit unit(Field limit, Map<String, Field> fields, boolean unlimited) {
            Field field = fields.getOrDefault("unit", limit);
            String word = words.text(fields.get("unit"));
            if (word == null) {
                return null;
            }
            EnvoyUnit unit = EnvoyUnit.named(word);
            if (unlimited && unit != null) {
                words.report(field, "should not specify rate limit unit when unlimited (expected: no unit)");
            }
            if (!unlimited && unit == null) {
                words.report(field, "invalid rate limit unit '" + OneLine.of(word) + "' (expected: " + UNITS + ")");
            }
            return unlimited ? null : unit;
        }

        private List<String> replaces(@Nullable Field list, String own) {
            List<String> names = new ArrayList<>();
            for (Field each : words.mappings(list)) {
                Map<String, Field> fields = words.fields(each, RuleWords.OF_A_NAME);
                String name = words.text(fields.get("name"));
                Field at = fields.getOrDefault("name", each);
                if (name == null) {
                    continue;
                }
                if (name.isEmpty()) {
                    words.report(at, "should not have an empty replaces entry (expected: the name of a limit)");
                } else if (name.equals(own)) {
                    words.report(
                            at,
                            "replaces should not contain name of same descriptor (expected: the name of another limit)");
                }
                names.add(name);
            }
            return names;
        }

        private static void addIf(boolean said, Flag flag, Set<Flag> flags) {
            if (said) {
                flags.add(flag);
            }
        }
    }
}
