package dev.penstock.bench.redis;

import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.LoadRate;

/**
 * One of the limits on a request, and the values that it counts by.
 *
 * @param attribute the attribute that the limit counts by
 * @param prefix the beginning of its values, which is followed by a number
 * @param digits the length of that number
 * @param count the number of values
 * @param divisor divides a request's number; the quotient modulo {@code count} is the value's number
 */
record BenchAccount(String attribute, LoadRate rate, String prefix, int digits, int count, int divisor) {
    BenchKeyText text() {
        return new BenchKeyText(prefix, digits);
    }

    int index(int number) {
        return number / divisor % count;
    }
}
