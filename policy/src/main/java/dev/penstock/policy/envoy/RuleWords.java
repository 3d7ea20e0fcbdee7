package dev.penstock.policy.envoy;

import dev.penstock.policy.envoy.RuleNode.Place;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.policy.internal.yaml.SourceFile;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.internal.yaml.YamlNode;
import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import dev.penstock.policy.text.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the words of an envoyproxy/ratelimit file and their values.
 *
 * <p>Missing values are empty, zero or false. Invalid values are reported and then treated as missing.
 */
final class RuleWords {
    /** The word that merges the words of another mapping. */
    private static final String MERGE = "<<";

    private static final String METADATA = "metadata";

    static final List<String> OF_A_FILE = List.of("domain", "descriptors");
    static final List<String> OF_A_DESCRIPTOR = List.of(
            "key",
            "value",
            "rate_limit",
            "descriptors",
            "shadow_mode",
            "quota_mode",
            "share_threshold",
            "detailed_metric",
            "value_to_metric",
            METADATA);
    static final List<String> OF_A_LIMIT = List.of("unit", "requests_per_unit", "unlimited", "name", "replaces");
    static final List<String> OF_A_NAME = List.of("name");

    private static final List<String> KNOWN = Stream.of(OF_A_FILE, OF_A_DESCRIPTOR, OF_A_LIMIT)
            .flatMap(List::stream)
            .distinct()
            .toList();

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

    /** Reports an unexpected value and, if it is quoted, that it must not be. */
    private void unexpectedlyTyped(Field field, String expected) {
        boolean isQuoted = field.node() instanceof Scalar scalar && !scalar.isPlain();
        unexpected(field, isQuoted ? expected + ", without quotes" : expected);
    }

    /**
     * Returns the fields of the whole file after checking all words in it, at any depth; null if the file is not a
     * mapping.
     */
    @Nullable
    Map<String, Field> checked(Field root) {
        if (isNothing(root)) {
            return Map.of();
        }
        if (!root.isMapping()) {
            unexpected(root, "a mapping");
            return null;
        }
        check(root, OF_A_FILE);
        return fields(root, OF_A_FILE);
    }

    private void check(Field mapping, List<String> meant) {
        for (Words.Word word : mapping.words("a mapping").all()) {
            Field value = word.value();
            if (!KNOWN.contains(word.word()) && !word.word().equals(MERGE)) {
                Place at = new Place(file, word.key().at(), value.path());
                report(at, unknown(word.key(), meant));
            }
            if (word.word().equals(METADATA)) {
                continue;
            }
            List<String> meantBelow = word.word().equals(MERGE) ? meant : meantIn(word.word());
            if (value.isMapping()) {
                check(value, meantBelow);
            } else if (value.isList()) {
                value.items("a list").forEach(item -> checkItem(item, meantBelow));
            }
        }
    }

    private static List<String> meantIn(String word) {
        return switch (word) {
            case "descriptors" -> OF_A_DESCRIPTOR;
            case "rate_limit" -> OF_A_LIMIT;
            case "replaces" -> OF_A_NAME;
            default -> KNOWN;
        };
    }

    private void checkItem(Field item, List<String> meant) {
        if (item.isMapping()) {
            check(item, meant);
        } else {
            report(
                    item,
                    "config error, yaml file contains list of type other than map: "
                            + item.node().found() + " (expected: a mapping)");
        }
    }

    private static String unknown(Scalar word, List<String> meant) {
        if (TypedScalar.isTyped(word)) {
            return "config error, key is not of type string: " + OneLine.of(word.text()) + " (expected: a word)";
        }
        String nearest = Nearest.of(word.text(), meant);
        String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
        return "config error, unknown key '" + word.found() + "' (expected: " + String.join(", ", meant) + hint + ")";
    }

    /** Returns a mapping's fields by word, including merged ones. Words that have no effect there are noted. */
    Map<String, Field> fields(Field mapping, List<String> meant) {
        Map<String, Field> fields = new LinkedHashMap<>();
        collect(mapping, fields);
        fields.forEach((word, field) -> {
            if (!meant.contains(word) && KNOWN.contains(word)) {
                ignored.add(
                        file,
                        field.at(),
                        field.path(),
                        "has no effect here (expected: one of " + String.join(", ", meant) + ")");
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

    /** Returns the text as it is written; empty if missing, null if it is not a text. */
    @Nullable
    String text(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return "";
        }
        String text = field.textIfAny();
        if (text == null) {
            unexpected(field, "a text");
        }
        return text;
    }

    boolean truth(@Nullable Field field) {
        if (field == null || isNothing(field)) {
            return false;
        }
        Boolean truth = field.node() instanceof Scalar scalar ? TypedScalar.truth(scalar) : null;
        if (truth == null) {
            unexpectedlyTyped(field, "true or false");
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
            unexpectedlyTyped(field, "a whole number from 0 to " + most);
            return 0;
        }
        return count;
    }

    /** Returns the items that are mappings. Other items were reported when the file was checked. */
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

    /** Returns the field if it is a mapping. */
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
