package dev.penstock.policy.text;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Guesses the intended word for a misspelled one. */
public final class Nearest {
    private static final int LONGEST = 64;
    private static final int MOST_KNOWN = 2_000;

    private Nearest() {}

    /** Returns the known word that differs in the fewest letters, or null if none is close enough. */
    public static @Nullable String of(String word, Collection<String> known) {
        if (word.length() > LONGEST || known.size() > MOST_KNOWN) {
            return null;
        }
        String nearest = null;
        int fewest = Integer.MAX_VALUE;
        String lower = word.toLowerCase(Locale.ROOT);
        for (String candidate : known) {
            if (candidate.length() > LONGEST) {
                continue;
            }
            int most = Math.max(1, Math.min(word.length(), candidate.length()) / 3);
            if (Math.abs(word.length() - candidate.length()) > most) {
                continue;
            }
            int distance = changes(lower, candidate.toLowerCase(Locale.ROOT));
            if (distance < fewest && distance <= most) {
                nearest = candidate;
                fewest = distance;
            }
        }
        return nearest;
    }

    /** Returns how many letters must be inserted, deleted, replaced or swapped with their neighbor. */
    private static int changes(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int k = 0; k <= to.length(); k++) {
                if (i == 0 || k == 0) {
                    cost[i][k] = i + k;
                    continue;
                }
                int replaced = cost[i - 1][k - 1] + (from.charAt(i - 1) == to.charAt(k - 1) ? 0 : 1);
                cost[i][k] = Math.min(replaced, 1 + Math.min(cost[i - 1][k], cost[i][k - 1]));
                boolean swapped = i > 1
                        && k > 1
                        && from.charAt(i - 1) == to.charAt(k - 2)
                        && from.charAt(i - 2) == to.charAt(k - 1);
                if (swapped) {
                    cost[i][k] = Math.min(cost[i][k], 1 + cost[i - 2][k - 2]);
                }
            }
        }
        return cost[from.length()][to.length()];
    }
}
