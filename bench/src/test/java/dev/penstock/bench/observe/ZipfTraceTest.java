package dev.penstock.bench.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.observe.TopKeys;
import org.junit.jupiter.api.Test;

class ZipfTraceTest {
    @Test
    void hotKeys_ofAShortTrace_areWithinTheirBound() {
        ZipfTrace trace = ZipfTrace.of(200_000);
        assertThat(trace.isWithinItsBound()).as("%s", trace.asMap()).isTrue();
        assertThat(trace.worst()).isPositive();
        assertThat(trace.bound()).isEqualTo(200_000 / TopKeys.KEPT);
    }
}
