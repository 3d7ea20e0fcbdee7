package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most {@code slots} held at once. The slots of a dead holder are freed when its permit expires.
 *
 * @param slots the number of slots
 * @param ttl the maximum lifetime of a permit unless it is renewed, in whole milliseconds
 */
public record Concurrency(long slots, Duration ttl) implements Algorithm {
    /** Maximum number of slots of one limit. */
    public static final long MOST = 1_000_000;

    /** Maximum number of slots that one request can take. */
    public static final long MOST_PER_REQUEST = 4_095;

    public Concurrency {
        Expect.between(slots, 1, MOST, "slots");
        Expect.millis(ttl, LONGEST, "ttl");
    }

    @Override
    public String word() {
        return "concurrency";
    }

    @Override
    public long capacity() {
        return slots;
    }

    @Override
    public String span() {
        return "";
    }

    @Override
    public Concurrency share(int nodes) {
        return new Concurrency(Math.max(1, slots / nodes), ttl);
    }
}
