package dev.penstock.bench.harness;

/** Live heap that a contender needs for each key it keeps. */
public record HeapPerKey(String contender, int keys, long liveBytes) {
    public double bytesPerKey() {
        return (double) liveBytes / keys;
    }
}
