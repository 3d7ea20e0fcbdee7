package dev.penstock.policy.corpus;

import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A file that only an attacker would write.
 *
 * @param text creates the text when it is needed, because it is large
 */
record ExtremeText(String name, Supplier<String> text) {
    private static final int MANY = 1 << 18;
    private static final String LIMIT = "version: 1\npolicies:\n  - name: a\n    limits: [ { key: user, token_bucket: ";
    private static final String BESIDE = LIMIT + "1/s, ";

    static Stream<ExtremeText> all() {
        return Stream.of(
                new ExtremeText("lists in lists", () -> "version: 1\npolicies: " + "[".repeat(MANY)),
                new ExtremeText("mappings in mappings", () -> "version: 1\npolicies: " + "{a: ".repeat(MANY / 4)),
                new ExtremeText("ever deeper indentation", () -> lines("", 1_000, i -> " ".repeat(i) + "a:\n")),
                new ExtremeText("a bomb of lists", () -> bomb("[", "", "]", "policies")),
                new ExtremeText("a bomb of mappings", () -> bomb("{", "k", "}", "plans")),
                new ExtremeText("a rate of many digits", () -> LIMIT + "9".repeat(MANY) + "/s } ]\n"),
                new ExtremeText("a rate of many spaces", () -> LIMIT + "1" + " ".repeat(MANY) + "x } ]\n"),
                new ExtremeText("a rate of many lines", () -> LIMIT + "1" + "\n".repeat(MANY) + "       x } ]\n"),
                new ExtremeText(
                        "a time of many units", () -> BESIDE + "block_for: " + "9d".repeat(MANY / 2) + " } ]\n"),
                new ExtremeText("a burst of many digits", () -> BESIDE + "burst: 1." + "0".repeat(MANY) + " } ]\n"),
                new ExtremeText(
                        "a unit of many letters", () -> BESIDE + "cost: 1, unit: " + "a".repeat(MANY) + " } ]\n"),
                new ExtremeText("a key of many slashes", () -> BESIDE + "cost: x } ]\n  - " + "/".repeat(MANY) + "\n"),
                new ExtremeText(
                        "a route of many segments",
                        () -> "version: 2\nroutes: [ " + "/a".repeat(MANY / 4) + ", " + "/*".repeat(MANY / 4) + " ]\n"),
                new ExtremeText(
                        "an address of many groups",
                        () -> "version: 1\ndeny: [ { name: a, match: { ip: \"" + "1:".repeat(MANY / 2) + "\" } } ]\n"),
                new ExtremeText(
                        "many unknown fields", () -> lines("version: 1\n", 5_000, i -> "polices" + i + ": 1\n")),
                new ExtremeText(
                        "many tenants without their plan",
                        () -> lines("version: 1\nplans:\n", 1_000, i -> "  plan-" + i + ": { a: 1/s }\n")
                                + lines("tenants:\n", 5_000, i -> "  t" + i + ": plam-" + i + "\n")),
                new ExtremeText(
                        "many limits of one counter",
                        () -> lines(LIMIT + "1/s }", 3_000, i -> ",\n      { key: user, token_bucket: 10/s }")
                                + " ]\n"),
                new ExtremeText(
                        "many policies of one name",
                        () -> lines(
                                "version: 1\npolicies:\n",
                                3_000,
                                i -> "- { name: a, limits: [ { key: user, token_bucket: 10/s } ] }\n")),
                new ExtremeText("many documents", () -> "---\nversion: 1\n".repeat(MANY / 16)),
                new ExtremeText("a quote that is not closed", () -> "version: \"" + "1\n".repeat(MANY / 2)),
                new ExtremeText("nothing but spaces", () -> " ".repeat(MANY)),
                new ExtremeText("nothing but tabs", () -> "\t".repeat(MANY)),
                new ExtremeText("nothing but lines", () -> "\n".repeat(MANY)),
                new ExtremeText("nothing but dashes", () -> "- ".repeat(MANY / 2)),
                new ExtremeText("nothing but questions", () -> "? ".repeat(MANY / 2)),
                new ExtremeText("nothing but anchors", () -> "&a ".repeat(MANY / 4)),
                new ExtremeText("a line of seven megabytes", () -> "version: " + "a".repeat(7 << 20)),
                new ExtremeText("ten megabytes", () -> "version: 1\n" + "# a comment that goes on\n".repeat(420_000)),
                new ExtremeText("nothing but zeros", () -> "\0".repeat(MANY)));
    }

    private static String lines(String head, int count, IntFunction<String> line) {
        StringBuilder text = new StringBuilder(head);
        for (int i = 0; i < count; i++) {
            text.append(line.apply(i));
        }
        return text.toString();
    }

    /** Forty lines that would expand to 10^40 values. */
    private static String bomb(String open, String word, String close, String top) {
        return "version: 1\na0: &a0 x\n"
                + lines(
                        "",
                        40,
                        i -> "a" + (i + 1) + ": &a" + (i + 1) + " " + open
                                + lines("", 10, k -> (word.isEmpty() ? "" : word + k + ": ") + "*a" + i + " , ") + close
                                + "\n")
                + top + ": *a40\n";
    }

    @Override
    public String toString() {
        return name;
    }
}
