package dev.penstock.bench.harness;

import java.util.Locale;

/** The common parts of all SVG files. */
public final class SvgText {
    private SvgText() {}

    /** Returns the beginning of a picture with a white background. */
    public static String head(String title, int width, int height) {
        String size = String.format(
                Locale.ROOT, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", width, height, width, height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size
                + " font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"" + escaped(title) + "\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    }

    public static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
