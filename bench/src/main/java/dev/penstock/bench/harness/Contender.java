package dev.penstock.bench.harness;

import java.util.Locale;
import java.util.regex.Pattern;

/** A contender of a case. Its name is also its method: {@code bucket4j_map} is {@code bucket4jMap}. */
public record Contender(String name, Part part) {
    private static final Pattern UNDERSCORE = Pattern.compile("_(.)");

    /** The use of the contender's score. */
    public enum Part {
        /** It is part of a ratio, so the contender takes a turn in every round. */
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

    /** Returns the name of the benchmark method. */
    public String method() {
        return UNDERSCORE.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }
}
