package dev.penstock.bench.soak;

/**
 * The resources of one service at one time.
 *
 * @param seconds since the load began
 * @param heapBytes live objects, right after a garbage collection
 */
record Sample(long seconds, long heapBytes, long threads, long descriptors) {
    /** Parses a line of a node. The time comes from the caller, not from the node's clock. */
    static Sample read(String line, long seconds) {
        String[] parts = line.split(" ", -1);
        return new Sample(seconds, Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
