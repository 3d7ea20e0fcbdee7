package dev.penstock.policy.envoy;

/** A text of a file within a message: on one line, and not for ever. */
final class OneLine {
    private static final int LONGEST = 200;

    private OneLine() {}

    static String of(String text) {
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        return shown.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    }
}
