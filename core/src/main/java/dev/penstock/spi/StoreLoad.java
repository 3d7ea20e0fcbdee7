package dev.penstock.spi;

/**
 * How busy one server of a store is, by its own account.
 *
 * @param usedMemoryBytes the memory that its data takes
 * @param maxMemoryBytes the memory that it may take
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
