package dev.penstock.testkit;

import dev.penstock.Settlement;
import dev.penstock.spi.Charge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A permit of the reference: what it holds, until when, and what was answered when it ended. */
final class ReferencePermit {
    /**
     * One charge of a permit.
     *
     * @param number which charge of the ask it was
     * @param mark the state that a leaky bucket was left in; null for other limits
     */
    record Part(int number, Charge charge, @Nullable Fraction mark) {}

    private final int handle;
    private final long ttlMicros;
    private final List<Part> parts = new ArrayList<>();
    private long expiresAt;
    private @Nullable Settlement answer;

    ReferencePermit(int handle, long now, long ttlMicros) {
        this.handle = handle;
        this.ttlMicros = ttlMicros;
        this.expiresAt = now + ttlMicros;
    }

    void add(Part part) {
        parts.add(part);
    }

    int handle() {
        return handle;
    }

    long ttlMicros() {
        return ttlMicros;
    }

    List<Part> parts() {
        return parts;
    }

    /** When it ends by its own count, whatever became of its holds. */
    long expiresAt() {
        return expiresAt;
    }

    void expiresAt(long micros) {
        expiresAt = micros;
    }

    /** Whether the permit lives by its own count, which is all there is for parts that cost nothing. */
    boolean isAlive(long now) {
        return now < expiresAt;
    }

    /** What was answered when it ended; null while it may live. */
    @Nullable
    Settlement answer() {
        return answer;
    }

    Settlement answered(Settlement settlement) {
        answer = settlement;
        return settlement;
    }
}
