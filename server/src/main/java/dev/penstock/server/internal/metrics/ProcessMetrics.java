package dev.penstock.server.internal.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.function.ToLongFunction;

/** The JVM and the process, by the names that Prometheus's own client for Java has for them. */
final class ProcessMetrics {
    private static final double MILLIS_A_SECOND = 1e3;
    private static final double NANOS_A_SECOND = 1e9;

    private ProcessMetrics() {}

    static void tell(MetricSnapshots.Builder into) {
        into.metricSnapshot(memory("jvm_memory_used_bytes", "Memory that is in use.", MemoryUsage::getUsed));
        into.metricSnapshot(memory("jvm_memory_committed_bytes", "Memory that was taken.", MemoryUsage::getCommitted));
        into.metricSnapshot(memory(
                "jvm_memory_max_bytes", "The most memory there may be; -1 where nothing says.", MemoryUsage::getMax));
        into.metricSnapshot(buffers());
        into.metricSnapshot(Gauges.of(
                "jvm_threads_current",
                "Threads that there are.",
                ManagementFactory.getThreadMXBean().getThreadCount()));
        into.metricSnapshot(collections());
        into.metricSnapshot(Gauges.of(
                "process_start_time_seconds",
                "When the process began, in seconds since 1970.",
                ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_A_SECOND));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            into.metricSnapshot(Gauges.counter(
                    "process_cpu_seconds",
                    "The processor's time that the process has taken.",
                    system.getProcessCpuTime() / NANOS_A_SECOND));
            into.metricSnapshot(
                    Gauges.of("process_open_fds", "Descriptors that are open.", system.getOpenFileDescriptorCount()));
            into.metricSnapshot(Gauges.of(
                    "process_max_fds", "The most descriptors that there may be.", system.getMaxFileDescriptorCount()));
        }
    }

    private static GaugeSnapshot memory(String name, String help, ToLongFunction<MemoryUsage> of) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return Gauges.named(name, help)
                .dataPoint(Gauges.point(Labels.of("area", "heap"), of.applyAsLong(memory.getHeapMemoryUsage())))
                .dataPoint(Gauges.point(Labels.of("area", "nonheap"), of.applyAsLong(memory.getNonHeapMemoryUsage())))
                .build();
    }

    private static GaugeSnapshot buffers() {
        GaugeSnapshot.Builder all =
                Gauges.named("jvm_buffer_pool_used_bytes", "Memory of buffers outside of the heap.");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            all.dataPoint(Gauges.point(Labels.of("pool", pool.getName()), pool.getMemoryUsed()));
        }
        return all.build();
    }

    private static SummarySnapshot collections() {
        SummarySnapshot.Builder all = SummarySnapshot.builder()
                .name("jvm_gc_collection_seconds")
                .help("Collections of garbage and their time.");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            SummarySnapshot.SummaryDataPointSnapshot.Builder point = SummarySnapshot.SummaryDataPointSnapshot.builder()
                    .labels(Labels.of("gc", collector.getName()))
                    .count(collector.getCollectionCount());
            point.sum(collector.getCollectionTime() / MILLIS_A_SECOND);
            all.dataPoint(point.build());
        }
        return all.build();
    }
}
