package dev.penstock.cli;

import java.io.PrintWriter;
import java.util.HexFormat;
import picocli.CommandLine.Help.Ansi.Style;

/** One of the two places that a command writes to, coloured or plain. Not thread-safe. */
final class Output {
    /** What a piece of text is to the eye. */
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
    private final boolean coloured;

    Output(PrintWriter writer, boolean coloured) {
        this.writer = writer;
        this.coloured = coloured;
    }

    PrintWriter writer() {
        return writer;
    }

    boolean isColoured() {
        return coloured;
    }

    /** Text for people; what would steer their terminal is shown as a question mark. */
    Output text(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> isSteering(c) && c != '\n' && c != '\t' ? '?' : c)
                .forEach(harmless::appendCodePoint);
        writer.print(harmless);
        return this;
    }

    /** Text of others that is to stay within its line: what would end or turn that is spelt out, as {@code \n}. */
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

    /** Whether it is not to be seen, and moves what is. */
    private static boolean isSteering(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    Output text(Tone tone, String text) {
        if (!coloured) {
            return text(text);
        }
        writer.print(tone.style.on());
        text(text);
        writer.print(Style.reset.on());
        return this;
    }

    /** Text for programs, to the letter. */
    Output exact(String text) {
        writer.print(text);
        return this;
    }

    void end() {
        writer.print('\n');
        writer.flush();
    }
}
