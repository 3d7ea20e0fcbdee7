package dev.penstock.policy.internal.yaml;

import java.util.List;

/** A value in a YAML file, with the position where it begins. Immutable. */
public sealed interface YamlNode {
    Position at();

    /** Describes the value for an error message. */
    String found();

    /**
     * A text, number or boolean. YAML's types are ignored; only the written text counts.
     *
     * @param isPlain true if it is written without quotes
     */
    record Scalar(Position at, String text, boolean isPlain) implements YamlNode {
        private static final int LONGEST = 60;

        /** Returns true if there is no value. */
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
