package dev.penstock.bench.soak;

/**
 * What one service used at one moment.
 *
 * @param seconds since the load began
 * @param heapBytes live objects, right after a collection
 */
record Sample(long seconds, long heapBytes, long threads, long descriptors) {
    /** As a node prints it; its own clock counts for nothing. */
    static Sample read(String line, long seconds) {
        String[] parts = line.split(" ", -1);
        return new Sample(seconds, Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
