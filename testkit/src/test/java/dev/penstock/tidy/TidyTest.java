package dev.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TidyTest {
    private static final String MAIN = "core/src/main/java/dev/penstock/";
    private static final String ALGORITHM = MAIN + "algorithm/";

    @ParameterizedTest
    @EnumSource
    void sources_followEveryRule(TidyRule rule) {
        assertThat(rule.violations(ProjectFiles.sources())).as(rule.name()).isEmpty();
    }

    @Test
    void sources_areFoundInMainAndTest() {
        assertThat(ProjectFiles.sources())
                .extracting(JavaSource::path)
                .contains("testkit/src/test/java/dev/penstock/tidy/TidyTest.java", MAIN + "SystemClock.java");
    }

    /** Returns one bad source for each thing that a rule bans. */
    static Stream<Sample> badSamples() {
        return Stream.of(
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "long a = System.currentTimeMillis();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "long a = System\n        .nanoTime();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "LongSupplier a = System::nanoTime;"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "import static java.lang.System.nanoTime;"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "import static java.lang.System.*;"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Instant a = java.time.Instant.now();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "LocalDateTime a = LocalDateTime.now();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "LocalDate a = LocalDate.now();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "ZonedDateTime a = ZonedDateTime.now();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Clock a = Clock.systemUTC();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Clock a = Clock.tickMillis(zone);"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Clock a = Clock.system(zone);"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "InstantSource a = InstantSource.system();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Date a = new Date();"),
                new Sample(TidyRule.REAL_CLOCK, "testkit/src/test/java/a/ATest.java", "long a = System.nanoTime();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "internal/SystemClock.java", "long a = System.nanoTime();"),
                new Sample(TidyRule.SLEEP, MAIN + "A.java", "Thread.sleep(1);"),
                new Sample(TidyRule.SLEEP, "testkit/src/test/java/a/ATest.java", "Thread . sleep(1);"),
                new Sample(TidyRule.SLEEP, "bench/src/main/java/a/A.java", "Thread.sleep(1);"),
                new Sample(TidyRule.SLEEP, MAIN + "A.java", "TimeUnit.MILLISECONDS.sleep(1);"),
                new Sample(TidyRule.SLEEP, MAIN + "A.java", "import static java.lang.Thread.*;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "double a = b;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "float a = b;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "b/A.java", "Double a = b;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "long a = Math.round(b);"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "long a = (long) Math.floor(b);"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "long a = (long) StrictMath.ceil(b);"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "import static java.lang.Math.*;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "var a = b * 1.5;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "var a = b * .5;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "var a = b * 1e6;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "var a = b * 2d;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "long a = (long) b.doubleValue();"),
                new Sample(TidyRule.LEFTOVER, MAIN + "A.java", "int a; // TODO: b"),
                new Sample(TidyRule.LEFTOVER, "bench/src/main/java/a/A.java", "/* FIXME */ int a;"),
                new Sample(TidyRule.LEFTOVER, MAIN + "A.java", "int TODO = 1;"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "final class StringUtil {}"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "final class StringUtils {}"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "interface ClockHelper {}"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "record KeyManager(int a) {}"),
                new Sample(TidyRule.VAGUE_NAME, "testkit/src/test/java/a/ATest.java", "enum EngineImpl {}"),
                new Sample(TidyRule.PACKAGE_INFO, MAIN + "A.java", "class A {}"),
                new Sample(TidyRule.LENGTH, MAIN + "A.java", "\n".repeat(TidyRule.LINES_AT_MOST + 1)));
    }

    @ParameterizedTest
    @MethodSource("badSamples")
    void violations_badSample_isCaughtOnce(Sample sample) {
        assertThat(sample.rule().violations(List.of(sample.source())))
                .hasSize(1)
                .allSatisfy(violation ->
                        assertThat(violation).contains(sample.rule().complaint()));
    }

    @ParameterizedTest
    @EnumSource
    void violations_everyRule_hasABadSample(TidyRule rule) {
        assertThat(badSamples()).anyMatch(sample -> sample.rule() == rule);
    }

    /** Returns sources that only look bad. */
    static Stream<Sample> goodSamples() {
        return Stream.of(
                new Sample(TidyRule.REAL_CLOCK, MAIN + "SystemClock.java", "long a = System.nanoTime();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "internal/SystemScheduler.java", "long a = System.nanoTime();"),
                new Sample(TidyRule.REAL_CLOCK, "bench/src/main/java/a/A.java", "long a = System.nanoTime();"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "// not System.nanoTime()\nint a;"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "/** Not {@code Instant.now()}. */ int a;"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "String a = \"System.nanoTime()\";"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "String a = \"\"\"\n  \"System.nanoTime()\"\n\"\"\";"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Instant a = Instant.ofEpochMilli(b);"),
                new Sample(TidyRule.REAL_CLOCK, MAIN + "A.java", "Clock a = Clock.system();"),
                new Sample(TidyRule.SLEEP, MAIN + "A.java", "// Thread.sleep(1)"),
                new Sample(TidyRule.SLEEP, MAIN + "A.java", "Thread.onSpinWait();"),
                new Sample(TidyRule.FLOATING_POINT, MAIN + "A.java", "double a = Math.round(1.5);"),
                new Sample(
                        TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "long a = Math.floorDiv(1_000, 0x1F) + 0xE2L;"),
                new Sample(TidyRule.FLOATING_POINT, ALGORITHM + "A.java", "int a = b[1].length; // 1.5"),
                new Sample(TidyRule.LEFTOVER, MAIN + "A.java", "String a = \"TODO\";"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "/** A class StringUtil. */ class A {}"),
                new Sample(TidyRule.VAGUE_NAME, MAIN + "A.java", "class Implementation { Utility a; }"),
                new Sample(TidyRule.PACKAGE_INFO, MAIN + "package-info.java", "package dev.penstock;"),
                new Sample(TidyRule.PACKAGE_INFO, "core/src/test/java/a/ATest.java", "class ATest {}"),
                new Sample(TidyRule.LENGTH, MAIN + "A.java", "\n".repeat(TidyRule.LINES_AT_MOST)));
    }

    @ParameterizedTest
    @MethodSource("goodSamples")
    void violations_goodSample_passes(Sample sample) {
        assertThat(sample.rule().violations(List.of(sample.source()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "String a = \"//\"; Thread.sleep(1);",
                "String a = \"/*\"; Thread.sleep(1);",
                "String a = \"\\\"\"; Thread.sleep(1); // \"",
                "String a = \"\\\\\"; Thread.sleep(1);",
                "char a = '\"'; Thread.sleep(1); // \"",
                "char a = '\\''; Thread.sleep(1);",
                "// it's\nThread.sleep(1);",
                "/* \" */ Thread.sleep(1);",
                "/**/ Thread.sleep(1); /**/",
                "Thread./* */sleep(1);",
                "Thread // \"\n.sleep(1);",
                "String a = \"\"\"\n  // \\\"\"\" \" \"\"\"; Thread.sleep(1);",
            })
    void of_hitNextToACommentOrLiteral_isNotHidden(String code) {
        assertThat(TidyRule.SLEEP.violations(List.of(JavaSource.of(MAIN + "A.java", code))))
                .hasSize(1);
    }

    @Test
    void violations_includeTheirPosition() {
        JavaSource source = JavaSource.of(
                MAIN + "A.java", "/*\n */\nclass A {\n    // a\n    String b = \"\"\"\n  \"\"\"; int TODO;\n}");

        assertThat(TidyRule.LEFTOVER.violations(List.of(source)))
                .containsExactly(MAIN + "A.java:6: " + TidyRule.LEFTOVER.complaint() + ": TODO");
    }

    record Sample(TidyRule rule, String path, String code) {
        JavaSource source() {
            return JavaSource.of(path, code);
        }
    }
}
