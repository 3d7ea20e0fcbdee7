package dev.penstock.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SoakReportTest {
    private static final long MEGABYTE = 1 << 20;

    private static SoakReport report(LongUnaryOperator heapMegabytes, @Nullable String firstError) {
        List<Sample> samples = LongStream.range(0, 300)
                .mapToObj(i -> new Sample(5 * i, heapMegabytes.applyAsLong(i) * MEGABYTE, 30, 60))
                .toList();
        return new SoakReport(
                new SoakOptions(Duration.ofMinutes(25), 200, false, false, false),
                List.of(samples),
                Map.of("check: allowed", 10L),
                5,
                3,
                firstError);
    }

    @Test
    void fluctuatingHeap_isFlat() {
        SoakReport report = report(i -> 40 + i % 20, null);

        assertThat(report.isGood()).isTrue();
        assertThat(report.table()).doesNotContain("NOT FLAT").contains("check: allowed");
    }

    @Test
    void growingHeap_isNotFlat() {
        SoakReport report = report(i -> 40 + i / 4, null);

        assertThat(report.isGood()).isFalse();
        assertThat(report.table()).containsPattern("heap.*NOT FLAT");
        assertThat(report.json()).contains("\"good\": false");
    }

    @Test
    void warmUp_doesNotCount() {
        assertThat(report(i -> i < 30 ? 2 * i : 60, null).isGood()).isTrue();
    }

    @Test
    void error_isReported() {
        SoakReport report = report(i -> 40, "check: 500 oops");

        assertThat(report.isGood()).isFalse();
        assertThat(report.table()).contains("the first error: check: 500 oops");
    }

    @Test
    void svg_hasALineForEachQuantity() {
        assertThat(report(i -> 40, null).svg())
                .startsWith("<svg ")
                .endsWith("</svg>\n")
                .contains("heap after a garbage collection", "threads", "descriptors")
                .containsPattern("points=\"[0-9]");
    }
}
