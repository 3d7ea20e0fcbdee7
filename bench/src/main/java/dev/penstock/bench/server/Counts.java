package dev.penstock.bench.server;

import dev.penstock.bench.harness.ThisJvm;

/**
 * What a service has done so far, by its own account.
 *
 * @param answered requests
 * @param allowed those of them that were allowed, by whom they should be
 * @param cpuNanos processor time of its JVM
 * @param bytes allocated by its threads
 */
record Counts(long answered, long allowed, long cpuNanos, long bytes) {
    static Counts now(long answered, long allowed) {
        return new Counts(answered, allowed, ThisJvm.cpuNanos(), ThisJvm.bytes());
    }

    Counts since(Counts before) {
        return new Counts(
                answered - before.answered, allowed - before.allowed, cpuNanos - before.cpuNanos, bytes - before.bytes);
    }

    /** The same with other answers, all of them allowed. */
    Counts answering(long answers) {
        return new Counts(answers, answers, cpuNanos, bytes);
    }

    /** The line in which one JVM tells another of it. */
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
