package dev.penstock.bench.harness;

import java.util.Locale;
import java.util.regex.Pattern;

/** One who takes part in a case, by the name shown: {@code bucket4j_map} is the method {@code bucket4jMap}. */
public record Contender(String name, Part part) {
    private static final Pattern UNDERSCORE = Pattern.compile("_(.)");

    /** What the contender's score is for. */
    public enum Part {
        /** It enters a ratio, so it has a turn in every round. */
        RATIO,
        /** It is only reported, from one turn. */
        REPORT
    }

    public static Contender inRatio(String name) {
        return new Contender(name, Part.RATIO);
    }

    public static Contender reported(String name) {
        return new Contender(name, Part.REPORT);
    }

    /** The benchmark method. */
    public String method() {
        return UNDERSCORE.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }
}
