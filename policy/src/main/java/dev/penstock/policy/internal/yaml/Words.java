package dev.penstock.policy.internal.yaml;

import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import dev.penstock.policy.text.Nearest;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The words of a mapping while it is read, in file order. */
public final class Words {
    /** A word and its value. */
    public record Word(String word, Scalar key, Field value) {
        /** Reports that the word itself is wrong. */
        public void refuse(String expected) {
            String shown = key.found();
            String quoted = shown.startsWith("\"") ? shown : "\"" + shown + "\"";
            value.reportWord(key, quoted + " (expected: " + expected + ")");
        }
    }

    private final Field mapping;
    private final List<Word> all;

    Words(Field mapping, List<Word> all) {
        this.mapping = mapping;
        this.all = all;
    }

    public Field mapping() {
        return mapping;
    }

    public List<Word> all() {
        return all;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Reports every word that is not one of these. */
    public Words only(String... known) {
        return only(Arrays.asList(known));
    }

    public Words only(Collection<String> known) {
        for (Word word : all) {
            if (!known.contains(word.word()) && mapping.isHeard()) {
                word.value().reportWord(word.key(), unknown(word.key().found(), known));
            }
        }
        return this;
    }

    private static String unknown(String word, Collection<String> known) {
        String nearest = Nearest.of(word, known);
        String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
        return "unknown field (expected: " + String.join(", ", known) + hint + ")";
    }

    /** Returns the word's value; null if it is missing. */
    public @Nullable Field get(String word) {
        for (Word each : all) {
            if (each.word().equals(word)) {
                return each.value();
            }
        }
        return null;
    }

    /** Returns the word's value; reports an error if it is missing. */
    public @Nullable Field required(String word, String expected) {
        Field field = get(word);
        if (field == null && mapping.isMapping()) {
            mapping.report("no " + word + " (expected: " + expected + ")");
        }
        return field;
    }
}
