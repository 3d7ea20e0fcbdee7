package dev.penstock.policy.internal.yaml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file's name and text.
 *
 * @param name the name that errors use
 */
public record SourceFile(String name, String text, List<String> lines) {
    public static SourceFile of(String name, String text) {
        return new SourceFile(name, text, text.lines().toList());
    }

    /** Returns the position of a character. The index is counted from 0, in Unicode characters. */
    Position position(int index) {
        int at = text.offsetByCodePoints(0, Math.min(index, text.codePointCount(0, text.length())));
        int line =
                1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
        int start = text.lastIndexOf('\n', at - 1) + 1;
        return new Position(line, 1 + text.codePointCount(start, at));
    }

    @Nullable
    String line(int number) {
        return number >= 1 && number <= lines.size() ? lines.get(number - 1) : null;
    }
}
