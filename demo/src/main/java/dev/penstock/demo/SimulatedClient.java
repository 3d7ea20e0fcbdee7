package dev.penstock.demo;

import java.util.function.Supplier;

/** Somebody who asks: under which name that is summed up, how often, and what. Not thread-safe. */
final class SimulatedClient {
    private static final double MICROS = 1_000_000;

    private final String name;
    private final CallRate rate;
    private final Supplier<Question> questions;
    private double owed;

    SimulatedClient(String name, CallRate rate, Supplier<Question> questions) {
        this.name = name;
        this.rate = rate;
        this.questions = questions;
    }

    String name() {
        return name;
    }

    Question question() {
        return questions.get();
    }

    /** How many requests are to be sent now, after so much time at the rate of that second of the world's time. */
    int due(long second, long passedMicros) {
        owed += rate.perSecond(second) * passedMicros / MICROS;
        int due = (int) owed;
        owed -= due;
        return due;
    }
}
