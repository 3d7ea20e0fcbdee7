package dev.penstock.policy.internal.yaml;

import java.util.List;

/** A value in a YAML file, and where it begins. Immutable. */
public sealed interface YamlNode {
    Position at();

    /** What it is, as an error calls it. */
    String found();

    /**
     * A text, a number, a switch: YAML's types are not asked, what is written is what counts.
     *
     * @param isPlain whether it is written without quotes
     */
    record Scalar(Position at, String text, boolean isPlain) implements YamlNode {
        private static final int LONGEST = 60;

        /** Whether nothing stands there. */
        public boolean isNothing() {
            return isPlain && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String found() {
            if (isNothing()) {
                return "nothing";
            }
            String line = text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
            int end = Math.min(line.length(), LONGEST);
            String shown = end == line.length() ? line : line.substring(0, end) + "...";
            return shown.isBlank() ? '"' + shown + '"' : shown;
        }
    }

    record Sequence(Position at, List<YamlNode> items) implements YamlNode {
        @Override
        public String found() {
            return "a list";
        }
    }

    record Mapping(Position at, List<Entry> entries) implements YamlNode {
        @Override
        public String found() {
            return "a mapping";
        }
    }

    /** A word of a mapping with its value. */
    record Entry(Scalar key, YamlNode value) {}
}
