package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints a report as text tables. */
public final class TerminalReport {
    private TerminalReport() {}

    public static void print(Report report, ScoreTable columns, PrintStream out) {
        if (!report.scores().isEmpty()) {
            out.println();
            table(columns.rows(report.scores()), out);
        }
        if (!report.memory().isEmpty()) {
            out.println();
            table(memoryRows(report.memory()), out);
        }
        out.println();
        table(ratioRows(report.ratios()), out);
        out.println();
        report.conditions().forEach((name, value) -> out.println(name + ": " + value));
        out.println(Machine.here());
    }

    private static List<List<String>> memoryRows(List<MemoryPerKey> memory) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("case", "contender", "keys", "live bytes/key"));
        for (MemoryPerKey each : memory) {
            rows.add(List.of(
                    "memory", each.contender(), Integer.toString(each.keys()), Figures.whole(each.bytesPerKey())));
        }
        return rows;
    }

    private static List<List<String>> ratioRows(List<Ratio> ratios) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ratio", "measured", "lowest", "highest", "by CPU", "expected", ""));
        for (Ratio ratio : ratios) {
            rows.add(List.of(
                    ratio.name(),
                    Figures.twoDigits(ratio.value()),
                    Figures.twoDigits(ratio.lowest()),
                    Figures.twoDigits(ratio.highest()),
                    ratio.byCpu().isPresent() ? Figures.twoDigits(ratio.byCpu().getAsDouble()) : "-",
                    ratio.wanted().toString(),
                    ratio.isReached() ? "ok" : ratio.wanted().complaint()));
        }
        return rows;
    }

    /** Prints columns as wide as they need to be. Names are left-aligned, numbers right-aligned. */
    private static void table(List<List<String>> rows, PrintStream out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String space = " ".repeat(widths[i] - cell.length());
                boolean isFigure = !rows.get(1).get(i).isEmpty()
                        && !Character.isLetter(rows.get(1).get(i).charAt(0));
                line.append(isFigure ? space + cell : cell + space).append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
