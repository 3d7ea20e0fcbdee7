package dev.penstock.bench.harness;

import java.util.List;
import java.util.Locale;

/** Draws lines over a common axis as SVG, with a panel per quantity. Every scale starts at zero. */
public final class LinePlot {
    public record Point(double x, double y) {}

    /** A line with its points, ordered by x. */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /** The lines of one quantity. */
    public record Panel(String title, List<Line> lines) {
        public Panel {
            lines = List.copyOf(lines);
        }
    }

    /** A named position: a vertical line through all panels, numbered and explained in a legend. */
    public record Mark(double x, String name) {}

    private static final int WIDTH = 820;
    private static final int LEFT = 70;
    private static final int RIGHT = 16;
    private static final int PANEL = 130;
    private static final int GAP = 46;
    private static final int HEAD = 56;
    private static final int LEGEND_LINE = 18;
    private static final int LEGEND_COLUMNS = 4;
    private static final List<String> COLOURS = List.of("#1f6feb", "#d1571a", "#1a7f37", "#8250df");

    private final StringBuilder text = new StringBuilder();

    private LinePlot() {}

    /** Returns the text of an SVG file. */
    public static String svg(String title, String axis, List<Panel> panels) {
        return svg(title, axis, panels, List.of());
    }

    /** Returns the text of an SVG file with marks, ordered by x. */
    public static String svg(String title, String axis, List<Panel> panels, List<Mark> marks) {
        int legendLines = (marks.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int legendTop = HEAD + panels.size() * (PANEL + GAP);
        int height = legendTop + legendLines * LEGEND_LINE;
        double longest = panels.stream()
                .flatMap(panel -> panel.lines().stream())
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::x)
                .max()
                .orElse(1);
        LinePlot plot = new LinePlot();
        plot.text.append(SvgText.head(title, WIDTH, height));
        plot.words(16, 28, "font-size=\"16\" font-weight=\"bold\"", title);
        for (int i = 0; i < panels.size(); i++) {
            plot.marks(marks, longest, HEAD + i * (PANEL + GAP));
            plot.panel(panels.get(i), axis, longest, HEAD + i * (PANEL + GAP));
        }
        plot.legend(marks, legendTop);
        return plot.text.append("</svg>\n").toString();
    }

    private void marks(List<Mark> marks, double longest, int top) {
        for (int i = 0; i < marks.size(); i++) {
            int x = (int) (LEFT + (WIDTH - RIGHT - LEFT) * marks.get(i).x() / longest);
            add("<path d=\"M%d %d V%d\" stroke=\"#d0d7de\" stroke-dasharray=\"2 3\"/>\n", x, top, top + PANEL);
            words(x, top + PANEL + 13, "text-anchor=\"middle\" font-size=\"8\" fill=\"#57606a\"", "" + (i + 1));
        }
    }

    private void legend(List<Mark> marks, int top) {
        int columnWidth = (WIDTH - RIGHT - LEGEND_LINE) / LEGEND_COLUMNS;
        int lines = (marks.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        for (int i = 0; i < marks.size(); i++) {
            int x = LEGEND_LINE + i / lines * columnWidth;
            words(
                    x,
                    top + i % lines * LEGEND_LINE,
                    "fill=\"#57606a\"",
                    (i + 1) + " " + marks.get(i).name());
        }
    }

    private void panel(Panel panel, String axis, double longest, int top) {
        double highest = panel.lines().stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::y)
                .max()
                .orElse(1);
        double most = highest > 0 ? highest * 1.1 : 1;
        int bottom = top + PANEL;
        int right = WIDTH - RIGHT;
        words(16, top - 6, "font-weight=\"bold\"", panel.title());
        add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#57606a\"/>\n", LEFT, top, bottom, right);
        words(LEFT - 8, bottom + 4, "text-anchor=\"end\" fill=\"#57606a\"", "0");
        words(
                LEFT - 8,
                (int) (bottom - PANEL * highest / most) + 4,
                "text-anchor=\"end\" fill=\"#57606a\"",
                String.format(Locale.ROOT, "%,.0f", highest));
        words(
                right,
                bottom + 18,
                "text-anchor=\"end\" fill=\"#57606a\"",
                String.format(Locale.ROOT, "%.0f %s", longest, axis));
        for (int i = 0; i < panel.lines().size(); i++) {
            Line line = panel.lines().get(i);
            String color = COLOURS.get(i % COLOURS.size());
            add("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", color);
            for (Point point : line.points()) {
                add("%.1f,%.1f ", LEFT + (right - LEFT) * point.x() / longest, bottom - PANEL * point.y() / most);
            }
            add("\"/>\n");
            words(
                    right - 90 * (panel.lines().size() - 1 - i),
                    top - 6,
                    "text-anchor=\"end\" fill=\"" + color + "\"",
                    line.name());
        }
    }

    private void words(int x, int y, String look, String words) {
        add("<text x=\"%d\" y=\"%d\" %s>%s</text>\n", x, y, look, SvgText.escaped(words));
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
