package dev.penstock.bench.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws groups of horizontal bars as SVG. The longest bar of each group has the full width. */
public final class BarPlot {
    /** One bar with its name. */
    public record Bar(String name, double value) {}

    /** Bars that are compared with each other. */
    public record Group(String title, List<Bar> bars) {
        public Group {
            bars = List.copyOf(bars);
        }
    }

    private static final int WIDTH = 820;
    private static final int NAMES = 200;
    private static final int LONGEST_BAR = 510;
    private static final int BAR = 16;
    private static final int LINE = 22;
    private static final int MARGIN = 16;
    private static final String OURS = "#1f6feb";
    private static final String OTHERS = "#9aa4b2";

    private final StringBuilder text = new StringBuilder();
    private int y = MARGIN;

    private BarPlot() {}

    /**
     * Returns the text of an SVG file.
     *
     * @param ours the prefix of names whose bars are highlighted
     */
    public static String svg(String title, String ours, List<Group> groups) {
        int lines =
                1 + groups.stream().mapToInt(group -> group.bars().size() + 2).sum();
        int height = lines * LINE + 2 * MARGIN;
        BarPlot plot = new BarPlot();
        plot.text.append(SvgText.head(title, WIDTH, height));
        plot.line(MARGIN, "font-size=\"16\" font-weight=\"bold\"", title);
        groups.forEach(group -> plot.group(group, ours));
        return plot.text.append("</svg>\n").toString();
    }

    /** Returns a group per case of a report, with the contenders' operations per second. */
    public static List<Group> byCase(Report report, String what) {
        Map<String, List<Bar>> bars = new LinkedHashMap<>();
        report.scores()
                .forEach(score -> bars.computeIfAbsent(score.caseName() + ": " + what, title -> new ArrayList<>())
                        .add(new Bar(score.contender().name(), score.opsPerSecond())));
        List<Group> groups = new ArrayList<>();
        bars.forEach((title, own) -> groups.add(new Group(title, own)));
        return groups;
    }

    private void group(Group group, String ours) {
        double longest = group.bars().stream().mapToDouble(Bar::value).max().orElse(0);
        y += LINE;
        line(MARGIN, "font-weight=\"bold\"", group.title());
        for (Bar bar : group.bars()) {
            double length = longest > 0 ? bar.value() / longest * LONGEST_BAR : 0;
            String color = bar.name().startsWith(ours) ? OURS : OTHERS;
            add(
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                    NAMES, y + 3, length, BAR, color);
            add("<text x=\"%.1f\" y=\"%d\">%s</text>\n", NAMES + length + 6, y + BAR, Figures.grouped(bar.value()));
            line(MARGIN, "fill=\"#24292f\"", bar.name());
        }
    }

    private void line(int x, String look, String words) {
        add("<text x=\"%d\" y=\"%d\" %s>%s</text>\n", x, y + BAR, look, SvgText.escaped(words));
        y += LINE;
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
