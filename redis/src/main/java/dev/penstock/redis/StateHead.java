package dev.penstock.redis;

import dev.penstock.algorithm.Rule;

/**
 * A simple rule as {@code batch.lua} takes it: its numbers, its mark, and how a state begins that was written under them.
 *
 * <p>Such a state begins with the format's byte and then, packed as {@code cmsgpack} does it in {@code account.lua}, tick,
 * capacity, debt and, of a bucket, n, p and the ceiling. So the script compares where it would have to unpack.
 */
final class StateHead {
    private static final int PLAIN = 1;
    static final int BUCKET = 0;

    private StateHead() {}

    /** Whether the rule is a bucket of which a permit comes back after whole ticks. */
    static boolean isWithoutRest(Rule rule) {
        long[] numbers = rule.scriptNumbers();
        return numbers != null && numbers[0] == BUCKET && numbers[4] == 1;
    }

    static void write(Rule rule, int mark, PackedNumbers.Writer out) {
        long[] numbers = rule.scriptNumbers();
        if (numbers == null) {
            throw new AssertionError("an ask that needs the long way is not batched");
        }
        out.put(numbers[0], 1).put(numbers[1], 4);
        for (int i = 2; i < numbers.length; i++) {
            out.put(numbers[i], 7);
        }
        out.put(mark, 2);
        PackedNumbers.Writer head = new PackedNumbers.Writer(40).put(PLAIN, 1);
        for (int i = 1; i < numbers.length; i++) {
            pack(numbers[0] == BUCKET || i < 4 ? numbers[i] : 0, head);
        }
        out.put(head.size(), 1).put(head);
    }

    private static void pack(long number, PackedNumbers.Writer out) {
        if (number < 1L << 7) {
            out.put(number, 1);
        } else if (number < 1L << 8) {
            out.put(0xcc, 1).put(number, 1);
        } else if (number < 1L << 16) {
            out.put(0xcd, 1).put(number, 2);
        } else if (number < 1L << 32) {
            out.put(0xce, 1).put(number, 4);
        } else {
            out.put(0xcf, 1).put(number, 8);
        }
    }
}
