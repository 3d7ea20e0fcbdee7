package dev.penstock.redis;

import dev.penstock.algorithm.Rule;
import java.time.Duration;

/** A simple rule in the argument of a {@link PackedCall}: its numbers and its id. */
final class PackedRule {
    /** The kind of a token bucket in {@link Rule#scriptNumbers()}. */
    static final int BUCKET = 0;

    private static final int KIND_BYTES = 1;
    private static final int TICK_BYTES = 4;
    private static final int NUMBER_BYTES = 7;
    private static final int ID_BYTES = 2;
    private static final int ID_DIGITS = 4;

    /** The length in bytes: kind, tick, five numbers and the id. */
    static final int BYTES = KIND_BYTES + TICK_BYTES + 5 * NUMBER_BYTES + ID_BYTES;

    /** Half of the time that the short form of a state can represent after the year 2026. */
    private static final long SOON_MICROS = Duration.ofDays(10 * 365).toNanos() / 1_000;

    private PackedRule() {}

    /**
     * Returns whether the rule is a token bucket whose permits come back after whole ticks. Its n is 1, so there is
     * never a rest.
     */
    static boolean isWithoutRest(Rule rule) {
        long[] numbers = rule.scriptNumbers();
        return numbers != null && numbers[0] == BUCKET && numbers[4] == 1;
    }

    /**
     * Returns whether {@code bucket.lua} can decide a cost under a rule {@linkplain #isWithoutRest without a rest}: all
     * its times fit in the short form of a state.
     */
    static boolean isForBucketScript(Rule rule, long cost) {
        long[] numbers = numbers(rule);
        return cost > 0 && cost <= rule.capacity() && numbers[6] <= SOON_MICROS / rule.tickMicros();
    }

    /** Returns the argument of {@code bucket.lua}. */
    static byte[] bucket(Rule rule, int ruleId, long cost) {
        long[] numbers = numbers(rule);
        long p = numbers[5];
        return new PackedNumbers.Writer(ID_DIGITS + TICK_BYTES + 6 * NUMBER_BYTES)
                .putDigits(ruleId, ID_DIGITS)
                .put(rule.tickMicros(), TICK_BYTES)
                .put(cost * p, NUMBER_BYTES)
                .put(rule.capacity() * p, NUMBER_BYTES)
                .put(numbers[6], NUMBER_BYTES)
                .put(numbers[2], NUMBER_BYTES)
                .put(numbers[3], NUMBER_BYTES)
                .put(p, NUMBER_BYTES)
                .bytes();
    }

    static void write(Rule rule, int ruleId, PackedNumbers.Writer out) {
        long[] numbers = numbers(rule);
        out.put(numbers[0], KIND_BYTES).put(numbers[1], TICK_BYTES);
        for (int i = 2; i < numbers.length; i++) {
            out.put(numbers[i], NUMBER_BYTES);
        }
        out.put(ruleId, ID_BYTES);
    }

    private static long[] numbers(Rule rule) {
        long[] numbers = rule.scriptNumbers();
        if (numbers == null) {
            throw new AssertionError("a rule that these scripts do not know is never batched");
        }
        return numbers;
    }
}
