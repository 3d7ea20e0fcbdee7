package dev.penstock.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.core.CoreBench;
import dev.penstock.bench.policy.PolicyBench;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the cases that JMH runs. */
class InProcessCasesTest {
    private static final List<BenchCase> CASES = Stream.of(new CoreBench(), new PolicyBench())
            .flatMap(benchmark -> benchmark.cases().stream())
            .toList();

    @Test
    void cases_haveAContenderForEachBenchmarkMethod() {
        for (BenchCase benchCase : CASES) {
            List<String> methods = Arrays.stream(
                            ((ForkedJvm) benchCase.measure()).benchmark().getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(org.openjdk.jmh.annotations.Benchmark.class))
                    .map(Method::getName)
                    .toList();

            assertThat(benchCase.contenders())
                    .extracting(Contender::method)
                    .containsExactlyInAnyOrderElementsOf(methods);
        }
    }

    @Test
    void expectations_compareContendersWithATurnInEveryRound() {
        for (BenchCase benchCase : CASES) {
            for (Expectation expectation : benchCase.expectations()) {
                assertThat(benchCase.contenders())
                        .contains(Contender.inRatio(expectation.ours()), Contender.inRatio(expectation.peer()));
            }
        }
    }

    @Test
    void caseNames_includeMemoryOnlyIfThereIsSuchACase() {
        assertThat(new CoreBench().caseNames()).endsWith(MemoryCase.NAME);
        assertThat(new PolicyBench().caseNames()).containsExactly("select");
    }
}
