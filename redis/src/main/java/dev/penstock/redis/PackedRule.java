package dev.penstock.redis;

import dev.penstock.algorithm.Rule;

/** A simple rule in the argument of {@code batch.lua}: its numbers and its id. */
final class PackedRule {
    /** The kind of a token bucket in {@link Rule#scriptNumbers()}. */
    static final int BUCKET = 0;

    private static final int KIND_BYTES = 1;
    private static final int TICK_BYTES = 4;
    private static final int NUMBER_BYTES = 7;
    private static final int ID_BYTES = 2;

    /** The length in bytes: kind, tick, five numbers and the id. */
    static final int BYTES = KIND_BYTES + TICK_BYTES + 5 * NUMBER_BYTES + ID_BYTES;

    private PackedRule() {}

    /**
     * Returns whether the rule is a token bucket whose permits come back after whole ticks. Its n is 1, so there is
     * never a rest.
     */
    static boolean isWithoutRest(Rule rule) {
        long[] numbers = rule.scriptNumbers();
        return numbers != null && numbers[0] == BUCKET && numbers[4] == 1;
    }

    static void write(Rule rule, int ruleId, PackedNumbers.Writer out) {
        long[] numbers = rule.scriptNumbers();
        if (numbers == null) {
            throw new AssertionError("a rule that batch.lua does not know is never batched");
        }
        out.put(numbers[0], KIND_BYTES).put(numbers[1], TICK_BYTES);
        for (int i = 2; i < numbers.length; i++) {
            out.put(numbers[i], NUMBER_BYTES);
        }
        out.put(ruleId, ID_BYTES);
    }
}
