package dev.penstock.spi;

/**
 * The memory and processor time that one server of a store reports. Immutable.
 *
 * @param usedMemoryBytes the memory in use, in bytes, including buffers and overhead
 * @param maxMemoryBytes the maximum memory, in bytes; 0 if not known
 * @param bound where that maximum comes from
 * @param cpuMicros the processor time used since the server started
 */
public record StoreLoad(long usedMemoryBytes, long maxMemoryBytes, Bound bound, long cpuMicros) {
    /** The origin of a server's memory limit. */
    public enum Bound {
        /** The server's own setting. */
        SETTING,
        /** Only the memory of its machine. */
        MACHINE
    }

    /** Returns the percentage of the memory that is in use, rounded down; 0 if the maximum is not known. */
    public long usedPercent() {
        return maxMemoryBytes <= 0 ? 0 : usedMemoryBytes / Math.max(1, maxMemoryBytes / 100);
    }
}
