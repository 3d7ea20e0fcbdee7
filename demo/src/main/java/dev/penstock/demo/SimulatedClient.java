package dev.penstock.demo;

import java.util.function.Supplier;

/** A simulated client: its name in the summary, its rate, and its requests. Not thread-safe. */
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

    /** Returns how many requests are due after this much time at the client's rate. */
    int due(long second, long passedMicros) {
        owed += rate.perSecond(second) * passedMicros / MICROS;
        int due = (int) owed;
        owed -= due;
        return due;
    }
}
