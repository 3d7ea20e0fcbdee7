package dev.penstock.testkit;

import dev.penstock.Settlement;
import dev.penstock.spi.Charge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A permit of the reference: its holds, its expiry, and the answer given when it ended. */
final class ReferencePermit {
    /**
     * One charge of a permit.
     *
     * @param number the index of the charge in the ask
     * @param mark the state in which a leaky bucket was left; null for other limits
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

    /** Returns when the permit expires, regardless of its holds. */
    long expiresAt() {
        return expiresAt;
    }

    void expiresAt(long micros) {
        expiresAt = micros;
    }

    /** Returns true if the permit has not expired. Parts without cost depend only on this. */
    boolean isAlive(long now) {
        return now < expiresAt;
    }

    /** Returns the answer given when it ended; null while it may live. */
    @Nullable
    Settlement answer() {
        return answer;
    }

    Settlement answered(Settlement settlement) {
        answer = settlement;
        return settlement;
    }
}
