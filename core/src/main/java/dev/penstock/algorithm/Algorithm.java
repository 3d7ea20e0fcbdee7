package dev.penstock.algorithm;

import java.time.Duration;

/**
 * An algorithm with its numbers. Each implementation is an immutable value that rejects numbers it cannot count
 * exactly.
 */
public sealed interface Algorithm
        permits TokenBucket, FixedWindow, CalendarWindow, SlidingWindow, SlidingLog, LeakyBucket, Concurrency, Lockout {

    /** The longest period, window, or permit lifetime that is accepted. */
    Duration LONGEST = Duration.ofDays(36_600);

    /** Returns its name in policies and reports: {@code token_bucket}. */
    String word();

    /** Returns the maximum that can be used at once. A higher cost never fits. */
    long capacity();

    /**
     * Returns the counting period in short form: {@code 1d}, {@code 90s}, {@code month@Asia/Tokyo}. Empty if there is
     * none.
     */
    String span();

    /**
     * Returns the default id of a limit: the name, followed by the period if there is one. So {@code 10/s} and {@code
     * 1000/h} are two limits, and a limit whose count changes stays the same limit.
     */
    default String defaultId() {
        return span().isEmpty() ? word() : word() + "-" + span();
    }

    /**
     * Returns the share of one of several nodes: rate and capacity divided by the number of nodes. The capacity is
     * rounded down but is at least 1.
     */
    Algorithm share(int nodes);
}
