package dev.penstock.bench.redis;

import dev.penstock.bench.load.KeyText;
import dev.penstock.bench.load.Rate;

/**
 * One of the limits on a request, and the values that it counts by.
 *
 * @param attribute what the limit counts by
 * @param prefix how its values begin; a number of so many digits follows
 * @param count how many values there are
 * @param divisor what a request's number is divided by to find its value, round and round
 */
record Account(String attribute, Rate rate, String prefix, int digits, int count, int divisor) {
    KeyText text() {
        return new KeyText(prefix, digits);
    }

    int index(int number) {
        return number / divisor % count;
    }
}
