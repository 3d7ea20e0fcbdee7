package dev.penstock.bench.redis;

import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.LoadRate;

/**
 * One of the limits on a request, and the values that it counts by.
 *
 * @param attribute what the limit counts by
 * @param prefix how its values begin; a number of so many digits follows
 * @param count how many values there are
 * @param divisor what a request's number is divided by to find its value, round and round
 */
record BenchAccount(String attribute, LoadRate rate, String prefix, int digits, int count, int divisor) {
    BenchKeyText text() {
        return new BenchKeyText(prefix, digits);
    }

    int index(int number) {
        return number / divisor % count;
    }
}
