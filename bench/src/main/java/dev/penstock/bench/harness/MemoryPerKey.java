package dev.penstock.bench.harness;

/** The live memory of a contender, on the heap or in a store. */
public record MemoryPerKey(String contender, int keys, long liveBytes) {
    public double bytesPerKey() {
        return (double) liveBytes / keys;
    }
}
