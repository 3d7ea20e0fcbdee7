package dev.penstock.algorithm;

import java.time.Duration;

/** How a limit counts, with its numbers. Each is an immutable value that refuses numbers it cannot count exactly. */
public sealed interface Algorithm
        permits TokenBucket, FixedWindow, CalendarWindow, SlidingWindow, SlidingLog, LeakyBucket, Concurrency, Lockout {

    /** The longest period, window, or life of a permit that is accepted. */
    Duration LONGEST = Duration.ofDays(36_600);

    /** The word for it in policies and reports: {@code token_bucket}. */
    String word();

    /** The most that can be had at once; a cost above it never fits. */
    long capacity();

    /** The time that its count is for, in short: {@code 1d}, {@code 90s}, {@code month@Asia/Tokyo}; empty where there is none. */
    String span();

    /**
     * A limit's default id: the word, and the span where there is one, so that {@code 10/s} and {@code 1000/h} beside
     * each other are two limits, and so that changed counts are the same limit still.
     */
    default String defaultId() {
        return span().isEmpty() ? word() : word() + "-" + span();
    }

    /** The same among so many nodes: the rate and the capacity divided, the latter rounded down but never below 1. */
    Algorithm share(int nodes);
}
