package dev.penstock.observe;

import dev.penstock.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** The rate at which a count grows, over the last ten seconds or since it was last read. */
final class RecentRate {
    private static final double MICROS_A_SECOND = 1e6;
    private static final long SPAN_MICROS = 10_000_000;
    private static final long BETWEEN_SAMPLES_MICROS = 1_000_000;

    private final Clock clock;
    private final LongSupplier count;

    /** The counts at recent reads, oldest first. Guarded by this. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long micros, long count) {}

    /** Creates the rate of a count that starts at zero now. */
    RecentRate(Clock clock, LongSupplier count) {
        this.clock = clock;
        this.count = count;
        samples.add(new Sample(clock.micros(), 0));
    }

    synchronized double perSecond() {
        long now = clock.micros();
        long counted = count.getAsLong();
        Sample from = samples.getFirst();
        while (samples.size() > 1 && now - from.micros > SPAN_MICROS) {
            samples.removeFirst();
            from = samples.getFirst();
        }
        if (now - samples.getLast().micros >= BETWEEN_SAMPLES_MICROS) {
            samples.add(new Sample(now, counted));
        }
        long micros = now - from.micros;
        return (counted - from.count) * MICROS_A_SECOND / Math.max(micros, BETWEEN_SAMPLES_MICROS);
    }
}
