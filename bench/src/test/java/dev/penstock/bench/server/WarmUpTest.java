package dev.penstock.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static List<Double> slowThenFast(int slow, int fast) {
        return Stream.concat(
                        DoubleStream.iterate(1_000, rate -> rate * 1.1)
                                .limit(slow)
                                .boxed(),
                        DoubleStream.generate(() -> 50_000).limit(fast).boxed())
                .toList();
    }

    @Test
    void whileItBecomesFaster_itIsNotWarm() {
        assertThat(WarmUp.isSteady(slowThenFast(30, 0))).isFalse();
        assertThat(WarmUp.isSteady(slowThenFast(30, 10))).isFalse();
    }

    @Test
    void tenSecondsNoFasterThanBefore_areEnough() {
        assertThat(WarmUp.isSteady(slowThenFast(30, 11))).isTrue();
    }

    @Test
    void afterFewSeconds_nobodyKnows() {
        assertThat(WarmUp.isSteady(slowThenFast(0, 19))).isFalse();
        assertThat(WarmUp.isSteady(slowThenFast(0, 20))).isTrue();
    }
}
