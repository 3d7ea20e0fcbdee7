package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most so many slots held at once. A holder that dies is freed when its permit expires.
 *
 * @param ttl how long a permit lives at most unless it is renewed, in whole milliseconds
 */
public record Concurrency(long slots, Duration ttl) implements Algorithm {
    /** The most slots of one limit. */
    public static final long MOST = 1_000_000;

    /** The most slots that one request can take. */
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
