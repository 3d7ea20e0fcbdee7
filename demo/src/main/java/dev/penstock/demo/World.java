package dev.penstock.demo;

import dev.penstock.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Lets the world's time pass, and says who asks what by then, and which acts begin and end. Not thread-safe. */
final class World {
    /** After a longer pause, as of a machine that slept, nothing is made up for. */
    private static final long MOST_PASSED_MICROS = 500_000;

    private static final long SECOND_MICROS = 1_000_000;

    private final Clock clock;
    private final int speed;
    private final Set<Incident> acts;
    private final List<SimulatedClient> callers;
    private long lastMicros;
    private long worldMicros;

    /** @param speed how many seconds of the world pass in one of the clock; requests a second are by the clock */
    World(Clock clock, int speed, Set<Incident> acts, List<SimulatedClient> callers) {
        this.clock = clock;
        this.speed = speed;
        this.acts = Set.copyOf(acts);
        this.callers = List.copyOf(callers);
        this.lastMicros = clock.micros();
    }

    /** The world's time. */
    long second() {
        return worldMicros / SECOND_MICROS;
    }

    /** Goes on to now. */
    void tick(Consumer<IncidentChange> turning, BiConsumer<String, Question> asking) {
        long now = clock.micros();
        long passed = Math.max(0, Math.min(MOST_PASSED_MICROS, now - lastMicros));
        lastMicros = now;
        long before = second();
        worldMicros += passed * speed;
        IncidentChange.between(acts, before, second()).forEach(turning);
        for (SimulatedClient caller : callers) {
            for (int due = caller.due(second(), passed); due > 0; due--) {
                asking.accept(caller.name(), caller.question());
            }
        }
    }
}
