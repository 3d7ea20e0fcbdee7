package dev.penstock.bench.harness;

/** Words in SVG. */
final class SvgText {
    private SvgText() {}

    static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
