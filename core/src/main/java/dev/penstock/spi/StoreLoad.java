package dev.penstock.spi;

/**
 * The memory and processor use that one server of a store reports.
 *
 * @param usedMemoryBytes the memory in use, in bytes, including buffers and overhead
 * @param maxMemoryBytes the maximum memory, in bytes; 0 if not known
 * @param bound what sets that maximum
 * @param cpuMicros the processor time that it has used since it started
 */
public record StoreLoad(long usedMemoryBytes, long maxMemoryBytes, Bound bound, long cpuMicros) {
    /** What bounds the memory of a server. */
    public enum Bound {
        /** Its own setting. */
        SETTING,
        /** Nothing but the memory of its machine. */
        MACHINE
    }

    /** The share of the memory that is in use, in whole percent, rounded down; 0 if the maximum is not known. */
    public long usedPercent() {
        return maxMemoryBytes <= 0 ? 0 : usedMemoryBytes / Math.max(1, maxMemoryBytes / 100);
    }
}
