package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;

/**
 * Measures how much live heap a contender needs for a million token buckets, in a separate JVM, and prints it.
 *
 * <p>Every key has used a permit, so none is idle. The key strings are garbage unless the contender keeps them.
 */
public final class MemoryProbe {
    private static final int COLLECTIONS = 2;

    private MemoryProbe() {}

    public static void main(String[] args) {
        long before = liveBytes();
        Object contender = filled(args[0]);
        try {
            System.out.println(liveBytes() - before);
        } finally {
            Reference.reachabilityFence(contender);
        }
    }

    private static Object filled(String contender) {
        return switch (contender) {
            case "penstock" -> {
                PenstockUsers users = new PenstockUsers(LoadRate.MILLIONTH);
                UserKeys.forEach(users::decide);
                Filled.check(users.keys(), UserKeys.COUNT);
                yield users;
            }
            case "bucket4j_caffeine" -> inCaffeine(Bucket4jBuckets.of(LoadRate.MILLIONTH));
            case "bucket4j_caffeine_shared" -> inCaffeine(Bucket4jBuckets.withSharedConfiguration(LoadRate.MILLIONTH));
            default -> throw new IllegalArgumentException(contender + " (expected: a contender of the case)");
        };
    }

    private static Object inCaffeine(Bucket4jBuckets buckets) {
        Bucket4jCaffeine users = new Bucket4jCaffeine(buckets);
        UserKeys.forEach(users::decide);
        Filled.check(users.keys(), UserKeys.COUNT);
        return users;
    }

    private static long liveBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
