package dev.penstock.cli;

import java.io.PrintWriter;
import java.util.HexFormat;
import picocli.CommandLine.Help.Ansi.Style;

/** Standard output or standard error of a command, with or without color. Not thread-safe. */
final class Output {
    /** The style of a piece of text. */
    enum Tone {
        NAME(Style.bold),
        GOOD(Style.fg_green),
        BAD(Style.fg_red),
        ASIDE(Style.faint);

        private final Style style;

        Tone(Style style) {
            this.style = style;
        }
    }

    private final PrintWriter writer;
    private final boolean colored;

    Output(PrintWriter writer, boolean colored) {
        this.writer = writer;
        this.colored = colored;
    }

    PrintWriter writer() {
        return writer;
    }

    boolean isColored() {
        return colored;
    }

    /** Writes text for people. Control characters, which could control the terminal, are replaced by question marks. */
    Output text(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> isSteering(c) && c != '\n' && c != '\t' ? '?' : c)
                .forEach(harmless::appendCodePoint);
        writer.print(harmless);
        return this;
    }

    /**
     * Returns text from others so that it stays within its line: characters that would end or reverse it are escaped,
     * as {@code \n}.
     */
    static String inLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '\t') {
                line.append("\\t");
            } else if (isSteering(c)) {
                for (char unit : Character.toChars(c)) {
                    line.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }

    /** Returns true for an invisible character that affects how others are shown. */
    private static boolean isSteering(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    Output text(Tone tone, String text) {
        if (!colored) {
            return text(text);
        }
        writer.print(tone.style.on());
        text(text);
        writer.print(Style.reset.on());
        return this;
    }

    /** Writes text for programs, unchanged. */
    Output exact(String text) {
        writer.print(text);
        return this;
    }

    void end() {
        writer.print('\n');
        writer.flush();
    }
}
