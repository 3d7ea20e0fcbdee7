package dev.penstock.server.internal.address;

import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of a list in a header field from its end and skips empty ones. Not thread-safe.
 *
 * <p>Proxies append their elements, so text from the client comes first. If the list were read from the start, a quote
 * that the client leaves open could swallow the proxies' elements. Read from the end, an element does not depend on
 * anything before it.
 */
final class ElementsFromEnd {
    /** The meaning of commas between quotes. */
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

    /** Returns the next element toward the start, trimmed, or null if there is none. */
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

    /** Returns the index of the comma before the element that ends at {@code to}, or -1 if there is none. */
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

    /** Returns true if an odd number of backslashes precedes the index. */
    private boolean isEscaped(int at) {
        int i = at;
        while (i > 0 && list.charAt(i - 1) == '\\') {
            i--;
        }
        return (at - i) % 2 == 1;
    }

    /** Returns the part of the text without the spaces and tabs around it. */
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
