package dev.penstock.policy.envoy;

import dev.penstock.policy.internal.yaml.YamlNode;
import dev.penstock.policy.internal.yaml.YamlNode.Mapping;
import dev.penstock.policy.internal.yaml.YamlNode.Scalar;
import dev.penstock.policy.internal.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Interprets unquoted values with the types of YAML 1.1, for which these files are written: {@code yes} is true. */
final class TypedScalar {
    private static final Set<String> TRUE = Set.of("y", "yes", "true", "on");
    private static final Set<String> FALSE = Set.of("n", "no", "false", "off");
    private static final Pattern WHOLE =
            Pattern.compile("[-+]?(?:0x[0-9a-fA-F]{1,15}|0b[01]{1,60}|0o?[0-7]{1,20}|0|[1-9]\\d{0,17})");
    private static final Pattern FRACTION = Pattern.compile("[-+]?(?:\\.\\d+|\\d+(?:\\.\\d*)?)(?:[eE][-+]?\\d+)?");

    private TypedScalar() {}

    /** Returns the boolean value; null if it is not a boolean. */
    static @Nullable Boolean truth(Scalar scalar) {
        String word = scalar.text().toLowerCase(Locale.ROOT);
        boolean asWritten = scalar.text().equals(word)
                || scalar.text().equals(word.toUpperCase(Locale.ROOT))
                || scalar.text().equals(word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        if (!scalar.isPlain() || !asWritten) {
            return null;
        }
        return TRUE.contains(word) ? Boolean.TRUE : FALSE.contains(word) ? Boolean.FALSE : null;
    }

    /** Returns the whole number; null if it is not one. */
    static @Nullable Long whole(Scalar scalar) {
        String text = scalar.text().replace("_", "");
        if (!scalar.isPlain() || !WHOLE.matcher(text).matches()) {
            return null;
        }
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        long number = magnitude(digits);
        return text.startsWith("-") ? -number : number;
    }

    private static long magnitude(String digits) {
        if (digits.startsWith("0x")) {
            return Long.parseLong(digits.substring(2), 16);
        }
        if (digits.startsWith("0b")) {
            return Long.parseLong(digits.substring(2), 2);
        }
        if (digits.startsWith("0o")) {
            return Long.parseLong(digits.substring(2), 8);
        }
        return Long.parseLong(digits, digits.startsWith("0") ? 8 : 10);
    }

    private static @Nullable Double number(Scalar scalar) {
        Long whole = whole(scalar);
        if (whole != null) {
            return whole.doubleValue();
        }
        return scalar.isPlain() && FRACTION.matcher(scalar.text()).matches() ? Double.valueOf(scalar.text()) : null;
    }

    /** Returns true if the value is anything but a text. */
    static boolean isTyped(Scalar scalar) {
        return scalar.isNothing() || truth(scalar) != null || number(scalar) != null;
    }

    /** Converts any node to a JDK value. */
    static @Nullable Object value(YamlNode node) {
        if (node instanceof Mapping mapping) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            mapping.entries().forEach(entry -> values.put(entry.key().text(), value(entry.value())));
            return Collections.unmodifiableMap(values);
        }
        if (node instanceof Sequence sequence) {
            List<@Nullable Object> values = new ArrayList<>();
            sequence.items().forEach(item -> values.add(value(item)));
            return Collections.unmodifiableList(values);
        }
        Scalar scalar = (Scalar) node;
        if (scalar.isNothing()) {
            return null;
        }
        Boolean truth = truth(scalar);
        if (truth != null) {
            return truth;
        }
        Double number = number(scalar);
        return number != null ? number : scalar.text();
    }
}
