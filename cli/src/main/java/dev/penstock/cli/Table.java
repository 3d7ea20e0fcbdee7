package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A text table in which each column is as wide as its widest cell. Not thread-safe. */
final class Table {
    private final String[] head;
    private final List<String[]> rows = new ArrayList<>();

    Table(String... head) {
        this.head = head.clone();
    }

    /**
     * Adds a row.
     *
     * @param cells one for each column
     */
    Table row(String... cells) {
        rows.add(Arrays.stream(cells).map(Output::inLine).toArray(String[]::new));
        return this;
    }

    void write(Output out) {
        int[] widths = new int[head.length];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = head[i].length();
            for (String[] row : rows) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        out.text(Tone.ASIDE, line(head, 0, widths)).end();
        for (String[] row : rows) {
            out.text(Tone.NAME, line(new String[] {row[0], ""}, 0, widths))
                    .text(line(row, 1, widths))
                    .end();
        }
    }

    /** Joins cells into a line. The last cell is not padded. */
    private static String line(String[] cells, int from, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = from; i < cells.length; i++) {
            boolean isLast = i == cells.length - 1;
            line.append(cells[i]).append(isLast ? "" : " ".repeat(widths[i] - cells[i].length() + 2));
        }
        return line.toString();
    }
}
