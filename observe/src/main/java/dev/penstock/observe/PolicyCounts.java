package dev.penstock.observe;

import dev.penstock.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is counted of one policy, and how fast its counts grow: over the last ten seconds, or since they were last looked at. */
final class PolicyCounts {
    private static final double MICROS_A_SECOND = 1e6;
    private static final long SPAN_MICROS = 10_000_000;
    private static final long BETWEEN_SAMPLES_MICROS = 1_000_000;

    private final Clock clock;
    private final List<RouteCounts> routes = new CopyOnWriteArrayList<>();

    /** What there was when it was looked at, the oldest first. Guarded by this. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long micros, long count) {}

    PolicyCounts(Clock clock) {
        this.clock = clock;
        samples.add(new Sample(clock.micros(), 0));
    }

    void add(RouteCounts route) {
        routes.add(route);
    }

    Counted counted() {
        return routes.stream().map(RouteCounts::counted).reduce(Counted.NOTHING, Counted::plus);
    }

    /** Requests a second. */
    synchronized double rate() {
        long now = clock.micros();
        long count = counted().requests();
        Sample from = samples.getFirst();
        while (samples.size() > 1 && now - from.micros > SPAN_MICROS) {
            samples.removeFirst();
            from = samples.getFirst();
        }
        if (now - samples.getLast().micros >= BETWEEN_SAMPLES_MICROS) {
            samples.add(new Sample(now, count));
        }
        long micros = now - from.micros;
        return (count - from.count) * MICROS_A_SECOND / Math.max(micros, BETWEEN_SAMPLES_MICROS);
    }
}
