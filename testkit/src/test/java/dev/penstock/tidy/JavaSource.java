package dev.penstock.tidy;

/**
 * A Java source that is split into code and comments, so that rules look at one of them and never at literals.
 *
 * <p>{@code code} and {@code comments} are as long as {@code text}, with spaces instead of what was removed, so that
 * offsets and line numbers are the same in all three.
 *
 * @param path relative to the project's root, with slashes
 */
record JavaSource(String path, String text, String code, String comments) {

    static JavaSource of(String path, String text) {
        return new Scanner(text).scan(path);
    }

    int lineAt(int offset) {
        return (int) text.substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
    }

    int lines() {
        return (int) text.lines().count();
    }

    /** Returns the part of the path before the file's name. */
    String directory() {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns true if the source is shipped, as opposed to a test. */
    boolean isMain() {
        return path.contains("/src/main/");
    }

    private static final class Scanner {
        private final String text;
        private final StringBuilder code;
        private final StringBuilder comments;
        private int at;

        Scanner(String text) {
            this.text = text;
            String blank = text.replaceAll("[^\\n]", " ");
            this.code = new StringBuilder(blank);
            this.comments = new StringBuilder(blank);
        }

        JavaSource scan(String path) {
            while (at < text.length()) {
                if (text.startsWith("//", at)) {
                    copyTo(comments, endOf("\n", at));
                } else if (text.startsWith("/*", at)) {
                    copyTo(comments, endOf("*/", at + 2));
                } else if (text.startsWith("\"\"\"", at)) {
                    at = endOfLiteral("\"\"\"", at + 3);
                } else if (text.charAt(at) == '"') {
                    at = endOfLiteral("\"", at + 1);
                } else if (text.charAt(at) == '\'') {
                    at = endOfLiteral("'", at + 1);
                } else {
                    copyTo(code, at + 1);
                }
            }
            return new JavaSource(path, text, code.toString(), comments.toString());
        }

        private void copyTo(StringBuilder part, int end) {
            part.replace(at, end, text.substring(at, end));
            at = end;
        }

        private int endOf(String mark, int from) {
            int found = text.indexOf(mark, from);
            return found < 0 ? text.length() : found + mark.length();
        }

        private int endOfLiteral(String quote, int from) {
            int i = from;
            while (i < text.length()) {
                if (text.charAt(i) == '\\') {
                    i += 2;
                } else if (text.startsWith(quote, i)) {
                    return i + quote.length();
                } else {
                    i++;
                }
            }
            return text.length();
        }
    }
}
