package dev.penstock.server.internal.address;

import org.jspecify.annotations.Nullable;

/**
 * The elements of a list in a header field, read from its end; empty ones are passed over. Not thread-safe.
 *
 * <p>Proxies add theirs at the end, so what a client wrote stands in front. Read from there, a quote that a client leaves
 * open could swallow what the proxies wrote; read from the end, nothing in front of an element can touch it.
 */
final class ElementsFromEnd {
    /** Whether commas between quotes are part of an element. */
    enum Quotes {
        COUNT,
        ARE_ORDINARY
    }

    private final String list;
    private final Quotes quotes;
    private int end;

    ElementsFromEnd(String list, Quotes quotes) {
        this.list = list;
        this.quotes = quotes;
        this.end = list.length();
    }

    /** The next one towards the front, without spaces around it; null where there is none. */
    @Nullable
    String next() {
        while (end >= 0) {
            int comma = commaBefore(end);
            String element = trimmed(list, comma + 1, end);
            end = comma;
            if (!element.isEmpty()) {
                return element;
            }
        }
        return null;
    }

    /** Where the comma is that separates what ends there from what is before; -1 where none does. */
    private int commaBefore(int to) {
        if (quotes == Quotes.ARE_ORDINARY) {
            return list.lastIndexOf(',', to - 1);
        }
        boolean quoted = false;
        for (int i = to - 1; i >= 0; i--) {
            char c = list.charAt(i);
            if (c == '"' && !(quoted && isEscaped(i))) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    /** Whether an odd number of backslashes stands before it. */
    private boolean isEscaped(int at) {
        int i = at;
        while (i > 0 && list.charAt(i - 1) == '\\') {
            i--;
        }
        return (at - i) % 2 == 1;
    }

    /** The text from there to there without the spaces and tabs around it. */
    static String trimmed(String text, int from, int to) {
        int first = from;
        int last = to;
        while (first < last && isSpace(text.charAt(first))) {
            first++;
        }
        while (last > first && isSpace(text.charAt(last - 1))) {
            last--;
        }
        return text.substring(first, last);
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
