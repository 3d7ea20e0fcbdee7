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

    @Nullable
    String line(int number) {
        return number >= 1 && number <= lines.size() ? lines.get(number - 1) : null;
    }
}
