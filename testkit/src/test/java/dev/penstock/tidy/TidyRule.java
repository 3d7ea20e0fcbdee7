package dev.penstock.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Things that no source may contain. Each rule has a bad sample in {@link TidyTest} that it must catch. */
enum TidyRule {
    /** Time must come from a clock that the caller passes, so that tests can set it. Benchmarks measure real time. */
    REAL_CLOCK("reads the machine's clock (expected: only SystemClock and SystemScheduler do)") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            return matches(
                    sources,
                    source -> !source.path().equals("core/src/main/java/dev/penstock/SystemClock.java")
                            && !source.path().equals("core/src/main/java/dev/penstock/internal/SystemScheduler.java")
                            && !source.path().startsWith("bench/"),
                    MACHINE_CLOCK);
        }
    },

    /** A test that sleeps is slow and still fails at random. */
    SLEEP("sleeps (expected: a clock turned by hand, or a wait for a condition)") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            return matches(sources, source -> true, SLEEPING);
        }
    },

    /** The arithmetic of limits is exact, and the same in the process and in any store. */
    FLOATING_POINT("calculates with floating point (expected: integers)") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            return matches(
                    sources,
                    source -> source.path().startsWith("core/src/main/java/dev/penstock/algorithm/"),
                    FLOATING);
        }
    },

    /** Unfinished work belongs in an issue. */
    LEFTOVER("marks work left over (expected: an issue)") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            List<String> violations = new ArrayList<>(matches(sources, source -> true, LEFTOVER_MARK));
            for (JavaSource source : sources) {
                find(source, source.comments(), LEFTOVER_MARK, violations);
            }
            return violations;
        }
    },

    /** A type's name must say what is special about it. */
    VAGUE_NAME("has a name that says nothing (expected: what sets the type apart)") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            return matches(sources, source -> true, VAGUE_TYPE);
        }
    },

    /** Every package needs a description. */
    PACKAGE_INFO("no package-info.java in this package") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            Set<String> described = sources.stream()
                    .filter(source -> source.fileName().equals("package-info.java"))
                    .map(JavaSource::directory)
                    .collect(Collectors.toSet());
            return sources.stream()
                    .filter(JavaSource::isMain)
                    .filter(source -> !source.fileName().equals("module-info.java"))
                    .map(JavaSource::directory)
                    .filter(directory -> !described.contains(directory))
                    .distinct()
                    .map(directory -> directory + ": " + complaint())
                    .toList();
        }
    },

    /** A longer class has more than one role. */
    LENGTH("too many lines (expected: at most " + TidyRule.LINES_AT_MOST + ")") {
        @Override
        List<String> violations(List<JavaSource> sources) {
            return sources.stream()
                    .filter(source -> source.isMain() && source.lines() > LINES_AT_MOST)
                    .map(source -> source.path() + ":" + source.lines() + ": " + complaint())
                    .toList();
        }
    };

    static final int LINES_AT_MOST = 450;

    /** Access to a member, by call or reference. Comments were already replaced by spaces. */
    private static final String MEMBER = "\\s*(?:\\.|::)\\s*";

    /** The JDK's Clock.system takes a zone. Ours takes no argument and returns the SystemClock. */
    private static final Pattern MACHINE_CLOCK =
            Pattern.compile("\\bSystem" + MEMBER + "(?:currentTimeMillis|nanoTime)\\b"
                    + "|\\b(?:Instant|Local(?:Date)?Time|LocalDate|(?:Zoned|Offset)DateTime|OffsetTime|Year(?:Month)?|MonthDay)"
                    + MEMBER + "now\\b"
                    + "|\\bClock" + MEMBER + "(?:systemUTC|systemDefaultZone|tick\\w*|system\\s*\\((?!\\s*\\)))"
                    + "|\\bInstantSource" + MEMBER + "(?:system|tick)\\b"
                    + "|\\bnew\\s+Date\\s*\\(\\s*\\)"
                    + "|\\bimport\\s+static\\s+java\\.(?:lang\\.System|time\\.(?:Clock|Instant))\\.\\*");

    private static final Pattern SLEEPING = Pattern.compile("\\bThread" + MEMBER + "sleep\\b"
            + "|\\b(?:NANO|MICRO|MILLI)?SECONDS" + MEMBER + "sleep\\b|\\b(?:MINUTES|HOURS|DAYS|TimeUnit)" + MEMBER
            + "sleep\\b|\\bimport\\s+static\\s+java\\.lang\\.Thread\\.\\*");

    private static final Pattern FLOATING = Pattern.compile("\\b(?:float|double|Float|Double|floatValue|doubleValue)\\b"
            + "|\\b(?:Strict)?Math" + MEMBER
            + "(?:round|floor|ceil|rint|pow|sqrt|cbrt|exp|log|log10|log1p|expm1|scalb|random)\\b"
            + "|\\bimport\\s+static\\s+java\\.lang\\.(?:Strict)?Math\\.\\*"
            + "|(?<![\\w.])(?:\\d[\\d_]*\\.[\\d_]*(?:[eE][+-]?\\d+)?|\\.\\d[\\d_]*(?:[eE][+-]?\\d+)?|\\d[\\d_]*[eE][+-]?\\d+"
            + "|\\d[\\d_]*(?=[fFdD]))[fFdD]?(?!\\w)");

    private static final Pattern LEFTOVER_MARK = Pattern.compile("\\b(?:TODO|FIXME)\\b");

    private static final Pattern VAGUE_TYPE = Pattern.compile(
            "\\b(?:class|interface|enum|record)\\s+\\w*(?:Utils?|Utilities|Helpers?|Managers?|Impl)\\b");

    private final String complaint;

    TidyRule(String complaint) {
        this.complaint = complaint;
    }

    /** Returns the places that break the rule, each as {@code path:line: complaint}. */
    abstract List<String> violations(List<JavaSource> sources);

    String complaint() {
        return complaint;
    }

    List<String> matches(List<JavaSource> sources, Predicate<JavaSource> where, Pattern banned) {
        List<String> violations = new ArrayList<>();
        for (JavaSource source : sources) {
            if (where.test(source)) {
                find(source, source.code(), banned, violations);
            }
        }
        return violations;
    }

    void find(JavaSource source, String part, Pattern banned, List<String> violations) {
        Matcher matcher = banned.matcher(part);
        while (matcher.find()) {
            String found = matcher.group().replaceAll("\\s+", " ");
            violations.add(source.path() + ":" + source.lineAt(matcher.start()) + ": " + complaint + ": " + found);
        }
    }
}
