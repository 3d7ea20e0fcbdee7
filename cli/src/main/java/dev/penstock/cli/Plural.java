package dev.penstock.cli;

/** Formats counts: {@code 1 policy}, {@code 2 policies}. */
final class Plural {
    private Plural() {}

    static String of(long count, String noun) {
        if (count == 1) {
            return count + " " + noun;
        }
        return count + " " + (noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s");
    }
}
