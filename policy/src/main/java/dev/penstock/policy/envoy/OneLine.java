package dev.penstock.policy.envoy;

/** Shortens a text of a file for use in a message, and puts it on one line. */
final class OneLine {
    private static final int LONGEST = 200;

    private OneLine() {}

    static String of(String text) {
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        return shown.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    }
}
