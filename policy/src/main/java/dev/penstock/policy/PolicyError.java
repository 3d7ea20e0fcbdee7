package dev.penstock.policy;

import dev.penstock.internal.Expect;
import org.jspecify.annotations.Nullable;

/**
 * One error in a policy file, with its position.
 *
 * @param file the file's name as it was given
 * @param line counted from 1; 0 if the error concerns the whole file
 * @param column counted from 1, in Unicode characters; 0 if the error concerns the whole file
 * @param path the path of the value: {@code policies[1].limits[0].token_bucket}; empty for the whole file
 * @param problem what was found, and what was expected
 * @param text the line itself; null if the error concerns the whole file or the line may contain a secret
 */
public record PolicyError(
        String file,
        int line,
        int column,
        String path,
        String problem,
        @Nullable String text) {
    private static final int WIDEST = 160;

    public PolicyError {
        Expect.text(file, "file");
        Expect.present(path, "path");
        Expect.text(problem, "problem");
    }

    /** Returns the error in one line: {@code policies.yaml:14:7 policies[1].name: 0 (expected: ...)}. */
    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        return place + (path.isEmpty() ? ": " : " " + path + ": ") + problem;
    }

    /** Returns the error, followed by its line with a mark below the position. */
    public String withLine() {
        if (text == null || line == 0) {
            return toString();
        }
        int[] characters = text.codePoints().toArray();
        int from = Math.max(0, Math.min(characters.length, column - WIDEST / 2));
        int to = Math.min(characters.length, from + WIDEST);
        StringBuilder indent = new StringBuilder();
        for (int i = from; i < Math.min(column - 1, to); i++) {
            indent.append(
                    characters[i] == '\t' ? "\t" : Character.isSupplementaryCodePoint(characters[i]) ? "  " : " ");
        }
        String shown = new String(characters, from, to - from);
        String number = Integer.toString(line);
        String margin = " ".repeat(number.length());
        return this + "\n  " + number + " | " + shown + "\n  " + margin + " | " + indent + "^";
    }
}
