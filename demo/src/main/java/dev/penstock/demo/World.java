package dev.penstock.demo;

import dev.penstock.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Advances the simulated time, and reports the requests that are due and the incidents that begin or end. Not
 * thread-safe.
 */
final class World {
    /** After a longer pause, such as the machine's sleep, missed requests are not sent. */
    private static final long MOST_PASSED_MICROS = 500_000;

    private static final long SECOND_MICROS = 1_000_000;

    private final Clock clock;
    private final int speed;
    private final Set<Incident> acts;
    private final List<SimulatedClient> callers;
    private long lastMicros;
    private long worldMicros;

    /**
     * Creates the simulation.
     *
     * @param speed the number of simulated seconds per second; request rates are in real time
     */
    World(Clock clock, int speed, Set<Incident> acts, List<SimulatedClient> callers) {
        this.clock = clock;
        this.speed = speed;
        this.acts = Set.copyOf(acts);
        this.callers = List.copyOf(callers);
        this.lastMicros = clock.micros();
    }

    /** Returns the simulated time. */
    long second() {
        return worldMicros / SECOND_MICROS;
    }

    /** Advances to the current time. */
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
