package dev.penstock.bench.steady;

import dev.penstock.bench.harness.SvgText;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws the cases over time as SVG, with a panel each: the p99 and the denials of every 100 ms, and fallback as a
 * shaded area. Each line has its own scale.
 */
final class SteadyPlot {
    private static final int COLUMNS = 2;
    private static final int PANEL_WIDTH = 480;
    private static final int PANEL_HEIGHT = 110;
    private static final int LEFT = 20;
    private static final int GAP_X = 30;
    private static final int GAP_Y = 62;
    private static final int HEAD = 90;
    private static final String LATENCY = "#1f6feb";
    private static final String DENIED = "#cf222e";
    private static final String FALLBACK = "#ffd8a8";
    private static final String GREY = "#57606a";

    private final StringBuilder text = new StringBuilder();

    private SteadyPlot() {}

    /** Returns the text of an SVG file. */
    static String svg(List<SteadyResult> results) {
        List<SteadyResult> drawn =
                results.stream().filter(result -> result.timeline().size() > 1).toList();
        int rows = (drawn.size() + COLUMNS - 1) / COLUMNS;
        int width = LEFT + COLUMNS * (PANEL_WIDTH + GAP_X);
        int height = HEAD + rows * (PANEL_HEIGHT + GAP_Y);
        SteadyPlot plot = new SteadyPlot();
        String title = "penstock bench steady";
        plot.text.append(SvgText.head(title, width, height));
        plot.words(LEFT, 28, "font-size=\"16\" font-weight=\"bold\"", title);
        plot.words(LEFT, 52, "fill=\"" + LATENCY + "\"", "p99 of each 100 ms");
        plot.words(LEFT + 140, 52, "fill=\"" + DENIED + "\"", "denied in each 100 ms");
        plot.add("<rect x=\"%d\" y=\"40\" width=\"14\" height=\"14\" fill=\"%s\"/>\n", LEFT + 300, FALLBACK);
        plot.words(LEFT + 320, 52, "fill=\"" + GREY + "\"", "in fallback");
        for (int i = 0; i < drawn.size(); i++) {
            int left = LEFT + i % COLUMNS * (PANEL_WIDTH + GAP_X);
            int top = HEAD + i / COLUMNS * (PANEL_HEIGHT + GAP_Y);
            plot.panel(drawn.get(i), left, top);
        }
        return plot.text.append("</svg>\n").toString();
    }

    private void panel(SteadyResult result, int left, int top) {
        List<SteadyResult.Moment> moments = result.timeline();
        double longest = moments.get(moments.size() - 1).second();
        int bottom = top + PANEL_HEIGHT;
        for (SteadyResult.Interval interval : result.fallback()) {
            double from = x(left, Math.max(0, interval.fromSecond()), longest);
            double to = x(left, Math.min(longest, Math.max(0, interval.toSecond())), longest);
            add(
                    "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                    from, top, Math.max(1, to - from), PANEL_HEIGHT, FALLBACK);
        }
        add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"%s\"/>\n", left, top, bottom, left + PANEL_WIDTH, GREY);
        words(left, top - 8, "font-weight=\"bold\"", result.name());
        double latency = line(moments, SteadyResult.Moment::p99Millis, LATENCY, left, top, longest);
        double denied = line(moments, SteadyResult.Moment::denied, DENIED, left, top, longest);
        String figures = String.format(Locale.ROOT, "p99 up to %,.1f ms", latency)
                + (denied > 0 ? String.format(Locale.ROOT, ", denied up to %,.0f in 100 ms", denied) : "");
        words(left + PANEL_WIDTH, top - 8, "text-anchor=\"end\" fill=\"" + GREY + "\"", figures);
        words(
                left + PANEL_WIDTH,
                bottom + 16,
                "text-anchor=\"end\" fill=\"" + GREY + "\"",
                String.format(Locale.ROOT, "%.0f s", longest));
    }

    /** Draws a line from zero to the highest value, and returns that value. Draws nothing if all values are zero. */
    private double line(
            List<SteadyResult.Moment> moments,
            ToDoubleFunction<SteadyResult.Moment> figure,
            String color,
            int left,
            int top,
            double longest) {
        double highest = moments.stream()
                .mapToDouble(figure)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        if (highest > 0) {
            add("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\" points=\"", color);
            for (SteadyResult.Moment moment : moments) {
                double value = figure.applyAsDouble(moment);
                if (Double.isFinite(value)) {
                    double y = top + PANEL_HEIGHT * (1 - value / highest);
                    add("%.1f,%.1f ", x(left, moment.second(), longest), y);
                }
            }
            add("\"/>\n");
        }
        return highest;
    }

    private static double x(int left, double second, double longest) {
        return left + PANEL_WIDTH * second / longest;
    }

    private void words(int x, int y, String look, String words) {
        add("<text x=\"%d\" y=\"%d\" %s>%s</text>\n", x, y, look, SvgText.escaped(words));
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
