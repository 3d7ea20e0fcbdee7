package dev.penstock.policy.envoy;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes pieces of a policy file in the style that a person would use. */
final class PolicyText {
    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_./][A-Za-z0-9_./:@+-]*(?<!:)");

    private PolicyText() {}

    /** Returns the text, in quotes if YAML would read it as something else. */
    static String quoted(String text) {
        boolean isPlain = NEEDS_NO_QUOTES.matcher(text).matches() && !text.equals("null") && !text.startsWith("...");
        if (isPlain) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Returns a single text as it is, and several as a list. */
    private static String oneOrList(List<String> texts) {
        return texts.size() == 1 ? quoted(texts.get(0)) : list(texts);
    }

    static String list(List<String> texts) {
        return texts.stream().map(PolicyText::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Returns the condition for an attribute; empty if there is none. */
    static String condition(RuleBranch.Values values) {
        if (values.value() != null) {
            return quoted(values.value());
        }
        StringJoiner words = new StringJoiner(", ", "{ ", " }").setEmptyValue("");
        if (!values.prefix().isEmpty()) {
            words.add("prefix: " + quoted(values.prefix()));
        }
        boolean someValues = !values.notValues().isEmpty();
        boolean somePrefixes = !values.notPrefixes().isEmpty();
        String prefixes = somePrefixes ? "{ prefix: " + oneOrList(values.notPrefixes()) + " }" : "";
        if (someValues && somePrefixes) {
            String all = values.notValues().stream().map(PolicyText::quoted).collect(Collectors.joining(", "));
            words.add("not: [" + all + ", " + prefixes + "]");
        } else if (someValues) {
            words.add("not: " + oneOrList(values.notValues()));
        } else if (somePrefixes) {
            words.add("not: " + prefixes);
        }
        return words.toString();
    }

    /** Returns a rate: {@code 10/min}. */
    static String rate(long count, EnvoyUnit unit) {
        return switch (unit) {
            case SECOND -> count + "/s";
            case MINUTE -> count + "/min";
            case HOUR -> count + "/h";
            case DAY -> count + "/d";
            case WEEK, MONTH, YEAR -> count + " per " + unit.length().toDays() + "d";
        };
    }
}
