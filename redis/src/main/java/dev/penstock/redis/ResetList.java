package dev.penstock.redis;

import dev.penstock.spi.Resets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The last resets of all nodes, as {@code reset.lua} keeps them. Immutable.
 *
 * @param name another one for each list, since a list that is not used expires
 * @param number how many resets were ever announced in this list
 * @param newestFirst the last of them
 */
record ResetList(String name, long number, List<String> newestFirst) {
    /** Nothing was reset lately. */
    static final ResetList NONE = new ResetList("", 0, List.of());

    private static final String ALL = "*";
    private static final Pattern TEXT = Pattern.compile(
            "r1 (\\w+) (\\d{1,15}) ((?:[0-9a-f]{16}(?:,[0-9a-f]{16})*|\\*)(?: (?:[0-9a-f]{16}(?:,[0-9a-f]{16})*|\\*))*)");

    /** The list that a text in Redis stands for. A text of an earlier version names no accounts, so it stands for all. */
    static ResetList of(String text) {
        Matcher list = TEXT.matcher(text);
        if (list.matches()) {
            return new ResetList(
                    list.group(1),
                    Long.parseLong(list.group(2)),
                    List.of(list.group(3).split(" ", -1)));
        }
        return text.isEmpty() ? NONE : new ResetList(text, 1, List.of(ALL));
    }

    /** The accounts of one announcement, as it stands in the list. */
    static String announced(Resets resets) {
        return resets.areAll()
                ? ALL
                : resets.fingerprints().stream()
                        .map(HexFormat.of()::toHexDigits)
                        .collect(Collectors.joining(","));
    }

    /** What was reset since an earlier reading. It is everything if this list does not reach back as far. */
    Resets since(ResetList before) {
        boolean isContinued = before.equals(NONE) || name.equals(before.name);
        long missed = number - before.number;
        if (!isContinued || missed < 1 || missed > newestFirst.size()) {
            return Resets.ALL;
        }
        Set<Long> fingerprints = new HashSet<>();
        for (String reset : newestFirst.subList(0, (int) missed)) {
            if (reset.equals(ALL)) {
                return Resets.ALL;
            }
            for (String fingerprint : reset.split(",", -1)) {
                fingerprints.add(HexFormat.fromHexDigitsToLong(fingerprint));
            }
        }
        return Resets.of(fingerprints);
    }
}
