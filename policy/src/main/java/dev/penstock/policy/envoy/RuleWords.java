package dev.penstock.policy.envoy;

import dev.penstock.policy.envoy.RuleNode.Place;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.Nearest;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.internal.yaml.YamlNode;
import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The words of a file of that service, and the values behind them.
 *
 * <p>Values that are not there are empty, zero and false; so are wrong ones, once they are reported.
 */
final class RuleWords {
    /** A word that stands for those of another mapping. */
    private static final String MERGE = "<<";

    private static final String METADATA = "metadata";

    private static final Set<String> KNOWN = new TreeSet<>(Set.of(
            "domain",
            "key",
            "value",
            "descriptors",
            "rate_limit",
            "unit",
            "requests_per_unit",
            "unlimited",
            "shadow_mode",
            "quota_mode",
            "name",
            "replaces",
            "detailed_metric",
            "value_to_metric",
            "share_threshold",
            METADATA));

    private final SourceFile file;
    private final Findings findings;
    private final Findings ignored;

    RuleWords(SourceFile file, Findings findings, Findings ignored) {
        this.file = file;
        this.findings = findings;
        this.ignored = ignored;
    }

    Place place(Field field) {
        return new Place(file, field.at(), field.path());
    }

    void report(Field field, String problem) {
        report(place(field), problem);
    }

    void report(Place place, String problem) {
        findings.add(file, place.at(), place.path(), problem);
    }

    private void unexpected(Field field, String expected) {
        report(field, "error loading config file: " + field.node().found() + " (expected: " + expected + ")");
    }

    /** The fields of the whole file, after a look at all words in it, wherever they stand. */
    Map<String, Field> checked(Field root, Set<String> meant) {
        if (isNothing(root)) {
            return Map.of();
        }
        if (!root.isMapping()) {
            unexpected(root, "a mapping");
            return Map.of();
        }
        check(root);
        return fields(root, meant);
    }

    private void check(Field mapping) {
        for (Words.Word word : mapping.words("a mapping").all()) {
            Field value = word.value();
            if (!KNOWN.contains(word.word()) && !word.word().equals(MERGE)) {
                Place at = new Place(file, word.key().at(), value.path());
                report(at, unknown(word.key()));
            }
            if (word.word().equals(METADATA)) {
                continue;
            }
            if (value.isMapping()) {
                check(value);
            } else if (value.isList()) {
                value.items("a list").forEach(this::checkItem);
            }
        }
    }

    private void checkItem(Field item) {
        if (item.isMapping()) {
            check(item);
        } else {
            report(
                    item,
                    "config error, yaml file contains list of type other than map: "
                            + item.node().found() + " (expected: a mapping)");
        }
    }

    private static String unknown(Scalar word) {
        if (TypedScalar.isTyped(word)) {
            return "config error, key is not of type string: " + word.text() + " (expected: a word)";
        }
        String nearest = Nearest.of(word.text(), KNOWN);
        String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
        return "config error, unknown key '" + word.found() + "' (expected: " + String.join(", ", KNOWN) + hint + ")";
    }

    /** A mapping's fields by their words, with those that it merges; words without a meaning there are noted. */
    Map<String, Field> fields(Field mapping, Set<String> meant) {
        Map<String, Field> fields = new LinkedHashMap<>();
        collect(mapping, fields);
        fields.forEach((word, field) -> {
            if (!meant.contains(word) && KNOWN.contains(word)) {
                ignored.add(
                        file,
                        field.at(),
                        field.path(),
                        "has no meaning here (expected: one of " + String.join(", ", new TreeSet<>(meant)) + ")");
            }
        });
        return fields;
    }

    private void collect(Field mapping, Map<String, Field> into) {
        Field merged = null;
        for (Words.Word word : mapping.words("a mapping").all()) {
            if (word.word().equals(MERGE)) {
                merged = word.value();
            } else {
                into.putIfAbsent(word.word(), word.value());
            }
        }
        if (merged == null) {
            return;
        }
        for (Field each : merged.oneOrMore("a mapping")) {
            if (each.isMapping()) {
                collect(each, into);
            } else {
                unexpected(each, "a mapping, or a list of mappings");
            }
        }
    }

    /** The text, as it is written; empty where there is none. */
    String text(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return "";
        }
        String text = field.textIfAny();
        if (text == null) {
            unexpected(field, "a text");
            return "";
        }
        return text;
    }

    boolean truth(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return false;
        }
        Boolean truth = field.node() instanceof Scalar scalar ? TypedScalar.truth(scalar) : null;
        if (truth == null) {
            unexpected(field, "true or false");
            return false;
        }
        return truth;
    }

    long count(@Nullable Field field, long most) {
        if (field == null || isNothing(field)) {
            return 0;
        }
        Long count = field.node() instanceof Scalar scalar ? TypedScalar.whole(scalar) : null;
        if (count == null || count < 0 || count > most) {
            unexpected(field, "a whole number from 0 to " + most);
            return 0;
        }
        return count;
    }

    /** The items that are mappings; others were reported when the file was checked. */
    List<Field> mappings(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return List.of();
        }
        if (!field.isList()) {
            unexpected(field, "a list");
            return List.of();
        }
        return field.items("a list").stream().filter(Field::isMapping).toList();
    }

    /** The field where it is a mapping. */
    @Nullable
    Field mapping(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return null;
        }
        if (!field.isMapping()) {
            unexpected(field, "a mapping");
            return null;
        }
        return field;
    }

    @SuppressWarnings("unchecked")
    Map<String, @Nullable Object> freeForm(@Nullable Field field) {
        Field mapping = mapping(field);
        Object values = mapping == null ? null : TypedScalar.value(mapping.node());
        return values == null ? Map.of() : (Map<String, @Nullable Object>) values;
    }

    private static boolean isNothing(Field field) {
        YamlNode node = field.node();
        return node instanceof Scalar scalar && scalar.isNothing();
    }
}
