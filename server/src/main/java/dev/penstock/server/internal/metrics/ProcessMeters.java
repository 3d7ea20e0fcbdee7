package dev.penstock.server.internal.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Metrics of the JVM and the process, under the names that the Prometheus client for Java uses. */
final class ProcessMeters implements MeterBinder {
    private static final String BYTES = "bytes";
    private static final String SECONDS = "seconds";
    private static final double MILLIS_A_SECOND = 1e3;
    private static final double NANOS_A_SECOND = 1e9;

    @Override
    public void bindTo(MeterRegistry registry) {
        memory(registry, "used", "Memory in use.", MemoryUsage::getUsed);
        memory(
                registry,
                "committed",
                "Memory that the operating system has committed to the JVM.",
                MemoryUsage::getCommitted);
        memory(registry, "max", "Maximum memory; -1 if undefined.", MemoryUsage::getMax);
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            Gauge.builder("jvm.buffer.pool.used", pool::getMemoryUsed)
                    .description("Memory used by buffers outside the heap.")
                    .baseUnit(BYTES)
                    .tag("pool", pool.getName())
                    .register(registry);
        }
        Gauge.builder(
                        "jvm.threads.current",
                        () -> ManagementFactory.getThreadMXBean().getThreadCount())
                .description("Number of threads.")
                .register(registry);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer.builder(
                            "jvm.gc.collection",
                            collector,
                            GarbageCollectorMXBean::getCollectionCount,
                            GarbageCollectorMXBean::getCollectionTime,
                            TimeUnit.MILLISECONDS)
                    .description("Number and duration of garbage collections.")
                    .tag("gc", collector.getName())
                    .register(registry);
        }
        Gauge.builder(
                        "process.start.time",
                        () -> ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_A_SECOND)
                .description("Start time of the process, in seconds since 1970.")
                .baseUnit(SECONDS)
                .register(registry);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            bindTo(registry, system);
        }
    }

    private static void bindTo(MeterRegistry registry, UnixOperatingSystemMXBean system) {
        FunctionCounter.builder("process.cpu", system, each -> each.getProcessCpuTime() / NANOS_A_SECOND)
                .description("Processor time used by the process.")
                .baseUnit(SECONDS)
                .register(registry);
        Gauge.builder("process.open.fds", system::getOpenFileDescriptorCount)
                .description("Open file descriptors.")
                .register(registry);
        Gauge.builder("process.max.fds", system::getMaxFileDescriptorCount)
                .description("Maximum number of open file descriptors.")
                .register(registry);
    }

    private static void memory(
            MeterRegistry registry, String what, String description, ToDoubleFunction<MemoryUsage> value) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Gauge.builder("jvm.memory." + what, () -> value.applyAsDouble(memory.getHeapMemoryUsage()))
                .description(description)
                .baseUnit(BYTES)
                .tag("area", "heap")
                .register(registry);
        Gauge.builder("jvm.memory." + what, () -> value.applyAsDouble(memory.getNonHeapMemoryUsage()))
                .description(description)
                .baseUnit(BYTES)
                .tag("area", "nonheap")
                .register(registry);
    }
}
