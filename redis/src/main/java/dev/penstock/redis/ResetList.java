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
 * The most recent resets by all nodes, as kept by {@code reset.lua}. Immutable.
 *
 * @param name the name of the list, which changes because a list that is not used expires
 * @param number the number of resets ever announced in this list
 * @param newestFirst the most recent resets, newest first
 */
record ResetList(String name, long number, List<String> newestFirst) {
    /** The list if nothing was reset recently. */
    static final ResetList NONE = new ResetList("", 0, List.of());

    private static final String ALL = "*";
    private static final Pattern TEXT = Pattern.compile(
            "r1 (\\w+) (\\d{1,15}) ((?:[0-9a-f]{16}(?:,[0-9a-f]{16})*|\\*)(?: (?:[0-9a-f]{16}(?:,[0-9a-f]{16})*|\\*))*)");

    /**
     * Returns the list in a text from Redis. A text of an earlier version names no accounts, so it represents all
     * accounts.
     */
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

    /** Returns the accounts of one announcement in the format of the list. */
    static String announced(Resets resets) {
        return resets.areAll()
                ? ALL
                : resets.fingerprints().stream()
                        .map(HexFormat.of()::toHexDigits)
                        .collect(Collectors.joining(","));
    }

    /**
     * Returns the accounts that were reset since an earlier reading. If this list does not reach back that far, returns
     * all accounts.
     */
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
