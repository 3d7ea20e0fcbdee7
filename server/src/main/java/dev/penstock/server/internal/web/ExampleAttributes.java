package dev.penstock.server.internal.web;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.Explanation.KeyValue;
import dev.penstock.policy.Explanation.OfLimit;
import dev.penstock.policy.Explanation.OfPolicy;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicySource;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.internal.yaml.YamlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds attributes of an example request to which many limits of the policies apply. It builds one candidate from the
 * {@code match} and the keys of each policy, and takes the one to which most limits apply. For one use.
 */
final class ExampleAttributes {
    /** The number of policies for which a candidate is built, so that large files do not take long. */
    private static final int MOST_CANDIDATES = 20;

    private static final String ENFORCE = "enforce";
    private static final String OTHER_SAMPLE = "example";
    private static final Map<String, String> SAMPLES = Map.of(
            AttributeNames.ROUTE,
            "/",
            AttributeNames.METHOD,
            "GET",
            AttributeNames.HOST,
            "api.example.com",
            AttributeNames.IP,
            "203.0.113.7",
            "user",
            "alice",
            "tenant",
            "acme");

    private final Policies policies;
    private final List<String> routes = new ArrayList<>();
    private final List<Field> written = new ArrayList<>();

    private ExampleAttributes(Policies policies) {
        this.policies = policies;
    }

    /** Returns the attributes by name, or an empty map if no limit applies to any candidate. */
    static Map<String, String> of(Policies policies) {
        ExampleAttributes examples = new ExampleAttributes(policies);
        policies.sources().forEach(examples::read);
        Map<String, String> best = Map.of();
        int most = 0;
        for (Field policy : examples.written.stream().limit(MOST_CANDIDATES).toList()) {
            Map<String, String> attributes = examples.candidate(policy);
            int count = examples.limitsFor(attributes);
            if (count > most) {
                best = attributes;
                most = count;
            }
        }
        return best;
    }

    /** The files are valid, because they are in use. */
    private void read(PolicySource source) {
        Field file = YamlReader.read(SourceFile.of(source.name(), source.text()), new Findings());
        if (file == null) {
            return;
        }
        child(file, "routes")
                .ifPresent(patterns -> patterns.oneOrMore("").forEach(pattern -> {
                    String text = pattern.textIfAny();
                    if (text != null) {
                        routes.add(text);
                    }
                }));
        child(file, "policies").filter(Field::isList).ifPresent(list -> written.addAll(list.items("")));
    }

    private static Optional<Field> child(Field mapping, String name) {
        return mapping.isMapping()
                ? mapping.words("").all().stream()
                        .filter(word -> word.word().equals(name))
                        .map(Words.Word::value)
                        .findFirst()
                : Optional.empty();
    }

    private Map<String, String> candidate(Field policy) {
        Map<String, String> attributes = new LinkedHashMap<>();
        child(policy, "match").filter(Field::isMapping).ifPresent(match -> {
            for (Words.Word word : match.words("").all()) {
                String value = policies.hides(word.word()) ? sample(word.word()) : value(word.word(), word.value());
                if (value != null) {
                    attributes.put(word.word(), value);
                }
            }
        });
        child(policy, "limits").filter(Field::isList).ifPresent(limits -> {
            for (Field limit : limits.items("")) {
                child(limit, "key").ifPresent(key -> key.oneOrMore("").forEach(part -> addSample(part, attributes)));
            }
        });
        addMissing(attributes);
        return attributes;
    }

    private static void addSample(Field part, Map<String, String> attributes) {
        String text = part.textIfAny();
        if (text != null) {
            addSample(text, attributes);
        }
    }

    /** Adds the attribute of a key part, such as {@code ip/24}, unless it has a value. */
    private static void addSample(String part, Map<String, String> attributes) {
        String attribute = part.split("/", 2)[0];
        attributes.putIfAbsent(attribute, sample(attribute));
    }

    /** Adds the attributes in the keys of other policies that match. */
    private void addMissing(Map<String, String> attributes) {
        Explanation explanation = explained(attributes);
        if (explanation == null) {
            return;
        }
        for (OfPolicy policy : explanation.policies()) {
            for (OfLimit limit : policy.limits()) {
                for (KeyValue value : limit.key()) {
                    if (value.value() == null) {
                        addSample(value.part(), attributes);
                    }
                }
            }
        }
    }

    private static String sample(String attribute) {
        return SAMPLES.getOrDefault(attribute, OTHER_SAMPLE);
    }

    /** Returns a value that meets the condition, or null if the attribute is better left out. */
    private @Nullable String value(String attribute, Field condition) {
        if (!condition.isMapping()) {
            return first(attribute, condition);
        }
        for (Words.Word word : condition.words("").all()) {
            String value = switch (word.word()) {
                case "is", "cidr" -> first(attribute, word.value());
                case "prefix" -> first(attribute, word.value()) + OTHER_SAMPLE;
                case "present" -> "true".equals(word.value().textIfAny()) ? sample(attribute) : null;
                default -> null; // not and hash name no value that meets them
            };
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private @Nullable String first(String attribute, Field values) {
        List<Field> all = values.oneOrMore("");
        String text = all.isEmpty() ? null : all.get(0).textIfAny();
        if (text == null) {
            return null;
        }
        return switch (attribute) {
            case AttributeNames.ROUTE -> path(text);
            case AttributeNames.IP -> text.split("/", 2)[0];
            case AttributeNames.HOST -> text.startsWith("*.") ? "api" + text.substring(1) : text;
            default -> text;
        };
    }

    /** Returns a path that matches the pattern. Below {@code **} it prefers a route that the files list. */
    private String path(String pattern) {
        String wanted = pattern;
        if (pattern.endsWith("/**")) {
            String prefix = pattern.substring(0, pattern.length() - 2);
            wanted = routes.stream()
                    .filter(route -> route.startsWith(prefix) && route.contains("{"))
                    .findFirst()
                    .orElse(prefix + OTHER_SAMPLE);
        }
        return wanted.replaceAll("\\{[^}]*}|\\*+", "7");
    }

    /** Returns how many enforced limits apply to a request with these attributes. */
    private int limitsFor(Map<String, String> attributes) {
        Explanation explanation = explained(attributes);
        if (explanation == null || explanation.staticDecision() != null) {
            return 0;
        }
        return (int) explanation.policies().stream()
                .filter(policy -> policy.role().equals(ENFORCE))
                .flatMap(policy -> policy.limits().stream())
                .filter(OfLimit::applies)
                .count();
    }

    /** Returns null if the policies refuse such a request, for example because it lacks an attribute. */
    private @Nullable Explanation explained(Map<String, String> attributes) {
        try {
            return policies.explain(Request.of(attributes));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
