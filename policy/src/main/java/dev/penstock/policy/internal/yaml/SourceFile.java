package dev.penstock.policy.internal.yaml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file's name and text.
 *
 * @param name as errors call it
 */
public record SourceFile(String name, String text, List<String> lines) {
    public static SourceFile of(String name, String text) {
        return new SourceFile(name, text, text.lines().toList());
    }

    /** Where the character with that number stands, counted from 0 in characters of Unicode. */
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
