package dev.penstock.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

class CoreBenchTest {
    @Test
    void cases_haveAContenderForEachBenchmarkMethod() {
        for (BenchCase benchCase : CoreBench.CASES) {
            List<String> methods = Arrays.stream(
                            ((ForkedJvm) benchCase.measure()).benchmark().getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Benchmark.class))
                    .map(Method::getName)
                    .toList();

            assertThat(benchCase.contenders())
                    .extracting(Contender::method)
                    .containsExactlyInAnyOrderElementsOf(methods);
        }
    }

    @Test
    void expectations_compareContendersThatHaveATurnInEveryRound() {
        for (BenchCase benchCase : CoreBench.CASES) {
            for (Expectation expectation : benchCase.expectations()) {
                assertThat(benchCase.contenders())
                        .contains(Contender.inRatio(expectation.ours()), Contender.inRatio(expectation.peer()));
            }
        }
    }
}
