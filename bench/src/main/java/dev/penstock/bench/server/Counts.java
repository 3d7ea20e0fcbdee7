package dev.penstock.bench.server;

import dev.penstock.bench.harness.ThisJvm;

/**
 * The work of a service so far, as it reports it.
 *
 * @param answered the answered requests
 * @param allowed the requests that were allowed, and by the expected part of the service
 * @param cpuNanos processor time of its JVM
 * @param bytes the bytes allocated by its threads
 */
record Counts(long answered, long allowed, long cpuNanos, long bytes) {
    static Counts now(long answered, long allowed) {
        return new Counts(answered, allowed, ThisJvm.cpuNanos(), ThisJvm.bytes());
    }

    Counts since(Counts before) {
        return new Counts(
                answered - before.answered, allowed - before.allowed, cpuNanos - before.cpuNanos, bytes - before.bytes);
    }

    /** Returns a copy with other answers, all of them allowed. */
    Counts answering(long answers) {
        return new Counts(answers, answers, cpuNanos, bytes);
    }

    /** Formats the counts as a line, for transfer between JVMs. */
    String write() {
        return answered + " " + allowed + " " + cpuNanos + " " + bytes;
    }

    static Counts read(String line) {
        String[] numbers = line.split(" ", -1);
        return new Counts(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]));
    }
}
