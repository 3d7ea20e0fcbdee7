package dev.penstock.policy.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes random changes to texts, as people and tools do to files. Not thread-safe. */
public final class MutatedText {
    /** The inserted pieces: words of the language, values, and characters with a meaning in YAML. */
    private static final List<String> PIECES = List.of(
            "version",
            "policies",
            "plans",
            "default_plan",
            "tenants",
            "allow",
            "deny",
            "default",
            "routes",
            "secrets",
            "hash_key",
            "name",
            "match",
            "limits",
            "cost",
            "max_cost",
            "when_missing",
            "mode",
            "candidate_of",
            "action",
            "on_store_failure",
            "consistency",
            "colocate",
            "replicas",
            "key",
            "token_bucket",
            "fixed_window",
            "sliding_window",
            "sliding_log",
            "leaky_bucket",
            "concurrency",
            "burst",
            "queue",
            "ttl",
            "unit",
            "id",
            "counter",
            "local",
            "expose",
            "block_for",
            "max_debt",
            "is",
            "prefix",
            "cidr",
            "hash",
            "present",
            "not",
            "rate",
            "overrides",
            "until",
            "plan.requests",
            "unlimited",
            "leased",
            "shadow",
            "open",
            "slots",
            "tokens",
            "route",
            "ip",
            "host",
            "method",
            "api_key",
            "ip/24",
            "user/lower/hash",
            "/api/**",
            "/a/{b}/*",
            "*.a.b",
            "10.0.0.0/8",
            "::/0",
            "::ffff:1.2.3.4/96",
            "10/s",
            "1 per calendar month in Asia/Tokyo",
            "1e9",
            "0",
            "-1",
            "9007199254740993",
            "99999999999999999999999999",
            "1.5k",
            "4503599627370496",
            "36600d",
            "1us",
            "2026-12-24",
            "true",
            "~",
            "\"\"",
            "''",
            "[]",
            "{}",
            "[",
            "]",
            "{",
            "}",
            ":",
            ": ",
            "- ",
            "? ",
            ", ",
            "&a ",
            "*a",
            "!!str ",
            "!!map ",
            "!a ",
            "|",
            ">-",
            "#",
            "\n",
            "\r\n",
            "\t",
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "<<: *a",
            "\u0000",
            "\u0007",
            "\u0085",
            "\u2028",
            "\ufeff",
            "\ud83d\udeb0",
            "\ud83d",
            "\"",
            "'",
            "\\",
            "@",
            "`",
            "%61");

    private final SplittableRandom random;
    private final List<String> corpus;

    public MutatedText(SplittableRandom random, List<String> corpus) {
        this.random = random;
        this.corpus = corpus;
    }

    /** Returns a text of the corpus with some changes. */
    public String next() {
        String text = any(corpus);
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
            text = random.nextBoolean() ? withChangedLine(text) : withChangedPlace(text);
        }
        return text;
    }

    /** Returns random pieces only: usually, but not always, invalid YAML. */
    String pieces() {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "version: 1\n" : "");
        for (int pieces = random.nextInt(1, 40); pieces > 0; pieces--) {
            text.append(any(PIECES));
            if (random.nextInt(3) == 0) {
                text.append(any(List.of(": ", ":\n", "\n", "\n  ", "\n    - ", ", ", " ")));
            }
        }
        return text.toString();
    }

    private String withChangedPlace(String text) {
        int from = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + random.nextInt(8));
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, from) + text.substring(to);
            case 1 -> text.substring(0, from) + any(PIECES) + text.substring(from);
            case 2 -> text.substring(0, from) + any(PIECES) + text.substring(to);
            case 3 -> text.substring(0, from) + (char) random.nextInt(1, 0x3000) + text.substring(from);
            default -> withOtherToken(text, from);
        };
    }

    /** Replaces a whole word or value, so that the file stays valid YAML. */
    private String withOtherToken(String text, int near) {
        String ends = " ,:[]{}\n\r";
        int from = near;
        while (from > 0 && ends.indexOf(text.charAt(from - 1)) < 0) {
            from--;
        }
        int to = near;
        while (to < text.length() && ends.indexOf(text.charAt(to)) < 0) {
            to++;
        }
        return text.substring(0, from) + any(PIECES) + text.substring(to);
    }

    private String withChangedLine(String text) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int at = random.nextInt(lines.size());
        switch (random.nextInt(6)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
            case 2 -> lines.add(lines.remove(at));
            case 3 -> lines.set(at, "  " + lines.get(at));
            case 4 -> lines.set(at, lines.get(at).strip());
            default -> lines.addAll(at, Arrays.asList(any(corpus).split("\n", -1)));
        }
        return String.join("\n", lines);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
