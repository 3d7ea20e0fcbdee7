package dev.penstock.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** The resources that this JVM has used so far. */
public final class ThisJvm {
    private ThisJvm() {}

    /** Returns the processor time. */
    public static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /** Returns the bytes allocated by live threads. */
    public static long bytes() {
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long[] bytes = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
        return Arrays.stream(bytes).filter(each -> each > 0).sum();
    }
}
