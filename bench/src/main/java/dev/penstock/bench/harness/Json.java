package dev.penstock.bench.harness;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists, strings, numbers, booleans and null as JSON text.
 *
 * <p>A list of plain values stays on one line. Everything else has one line per member.
 */
public final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    public static String text(Object value) {
        Json json = new Json();
        json.value(value, "\n");
        return json.text.append('\n').toString();
    }

    private void value(@Nullable Object value, String newLine) {
        if (value instanceof Map<?, ?> map) {
            members('{', map.entrySet().iterator(), '}', newLine);
        } else if (value instanceof List<?> list) {
            boolean isPlain = list.stream().noneMatch(each -> each instanceof Map || each instanceof List);
            members('[', list.iterator(), ']', isPlain ? "" : newLine);
        } else if (value instanceof String string) {
            string(string);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            throw new IllegalArgumentException("value: " + value.getClass() + " (expected: a type of JSON)");
        }
    }

    /** Writes all members, each on its own line, or on the same line if {@code newLine} is empty. */
    private void members(char open, Iterator<?> members, char close, String newLine) {
        String inner = newLine.isEmpty() ? "" : newLine + INDENT;
        text.append(open);
        boolean isFirst = true;
        while (members.hasNext()) {
            text.append(isFirst ? "" : newLine.isEmpty() ? ", " : ",").append(inner);
            isFirst = false;
            Object member = members.next();
            if (member instanceof Map.Entry<?, ?> entry) {
                string(String.valueOf(entry.getKey()));
                text.append(": ");
                value(entry.getValue(), inner);
            } else {
                value(member, inner);
            }
        }
        text.append(isFirst ? "" : newLine).append(close);
    }

    private void string(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < 0x20) {
                text.append("\\u%04x".formatted((int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
