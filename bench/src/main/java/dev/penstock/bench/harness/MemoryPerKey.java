package dev.penstock.bench.harness;

/** Live memory that a contender needs for each key it keeps, on the heap or in a store. */
public record MemoryPerKey(String contender, int keys, long liveBytes) {
    public double bytesPerKey() {
        return (double) liveBytes / keys;
    }
}
