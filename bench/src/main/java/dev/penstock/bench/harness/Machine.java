package dev.penstock.bench.harness;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The hardware and software that the benchmark ran on, without anything that identifies the machine. */
public record Machine(String cpu, int cores, double memoryGib, String os, String jdk) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final double GIB = 1L << 30;
    private static final Path CPU_TIMES = Path.of("/proc/stat");

    /** The index of the stolen time in the first line of {@link #CPU_TIMES}, in hundredths of a second. */
    private static final int STOLEN = 8;

    private static final double TICKS_PER_SECOND = 100;

    public static Machine here() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / GIB,
                property("os.name") + " " + property("os.version") + " " + property("os.arch"),
                property("java.vm.name") + " " + property("java.vm.version") + ", " + property("java.vm.vendor"));
    }

    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("cpu", cpu);
        map.put("cores", cores);
        map.put("memory_gib", Figures.rounded(memoryGib, 1));
        map.put("os", os);
        map.put("jdk", jdk);
        return map;
    }

    @Override
    public String toString() {
        return cpu + ", " + cores + " cores, " + Figures.whole(memoryGib) + " GiB, " + os + ", " + jdk;
    }

    /**
     * Returns the processor time that the host of this virtual machine has given to others since it started, over all
     * cores; 0 if the system does not report it. If it grows much during a benchmark, the benchmark measures the host.
     */
    public static double stolenSeconds() {
        try (Stream<String> lines = Files.lines(CPU_TIMES)) {
            return lines.findFirst()
                    .map(line -> Double.parseDouble(line.split(" +", -1)[STOLEN]) / TICKS_PER_SECOND)
                    .orElse(0.0);
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    private static String cpuModel() {
        String unknown = "unknown " + property("os.arch");
        if (Files.isReadable(CPU_INFO)) {
            try (Stream<String> lines = Files.lines(CPU_INFO)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(unknown);
            } catch (IOException e) {
                return unknown;
            }
        }
        return ChildProcess.output("sysctl", "-n", "machdep.cpu.brand_string").orElse(unknown);
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
