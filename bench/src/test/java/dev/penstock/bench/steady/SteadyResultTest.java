package dev.penstock.bench.steady;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyResultTest {
    private static final int MILLI = 1_000;

    /**
     * Returns four requests, 60 ms apart: one is allowed after 1 ms, one after 9 ms, one is denied after 2 ms, one is
     * lost.
     */
    private static LoadSamples samples() {
        LoadSamples samples = new LoadSamples();
        samples.answered(samples.add(0), MILLI, AnswerKind.ALLOWED);
        samples.answered(samples.add(60 * MILLI), 69 * MILLI, AnswerKind.ALLOWED);
        samples.answered(samples.add(120 * MILLI), 122 * MILLI, AnswerKind.DENIED);
        samples.sent(samples.add(180 * MILLI));
        return samples;
    }

    private static SteadyResult result(LoadSamples samples, SteadyResult.Fallback fallback) {
        return new SteadyResult(
                "case",
                SteadyResult.figures(samples, fallback),
                ServiceLoad.nothingWrong(),
                SteadyResult.timeline(samples),
                List.of());
    }

    @Test
    void figures_countLatencyFromWhenARequestWasDue_andLostOnesAsFailed() {
        SteadyResult result = result(samples(), SteadyResult.Fallback.NONE);

        assertThat(result.figure(SteadyResult.REQUESTS)).isEqualTo(4);
        assertThat(result.figure(SteadyResult.DENIED)).isEqualTo(1);
        assertThat(result.figure(SteadyResult.FAILED)).isEqualTo(1);
        assertThat(result.figure("lost")).isEqualTo(1);
        assertThat(result.figure(SteadyResult.P50)).isEqualTo(2);
        assertThat(result.figure(SteadyResult.MAX)).isEqualTo(9);
    }

    @Test
    void timeline_hasAPointForEvery100Millis() {
        assertThat(result(samples(), SteadyResult.Fallback.NONE).timeline())
                .containsExactly(new SteadyResult.Moment(0, 9, 0), new SteadyResult.Moment(0.1, 2, 1));
    }

    @Test
    void complaints_nameMeasurementsOutsideTheirBounds() {
        assertThat(result(samples(), new SteadyResult.Fallback(2, 1.5)).complaints())
                .containsExactly("denied ABOVE", "failed ABOVE", "fallback_entries ABOVE", "fallback_seconds ABOVE");
        LoadSamples good = new LoadSamples();
        good.answered(good.add(0), MILLI, AnswerKind.ALLOWED);
        assertThat(result(good, SteadyResult.Fallback.NONE).complaints()).isEmpty();
    }
}
