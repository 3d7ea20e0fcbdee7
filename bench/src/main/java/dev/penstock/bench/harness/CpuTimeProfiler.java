package dev.penstock.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the processor time of the whole JVM per operation, including the garbage collector and the threads of
 * caches.
 *
 * <p>On a busy machine it is more stable than operations per second. JMH creates the object in the forked JVM.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    static final String NANOS_PER_OP = "cpu.time.norm";

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long beforeNanos;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        beforeNanos = system.getProcessCpuTime();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = system.getProcessCpuTime() - beforeNanos;
        double perOp = nanos / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(NANOS_PER_OP, perOp, "ns/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "Processor time of the JVM per operation";
    }
}
