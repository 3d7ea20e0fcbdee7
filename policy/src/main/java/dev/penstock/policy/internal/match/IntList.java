package dev.penstock.policy.internal.match;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** A growing list of numbers that takes little memory while it is empty. */
final class IntList {
    private static final int[] NONE = {};

    private int[] numbers = NONE;
    private int size;

    void add(int number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(2, size * 2));
        }
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    int get(int i) {
        return numbers[i];
    }

    boolean contains(int number) {
        for (int i = 0; i < size; i++) {
            if (numbers[i] == number) {
                return true;
            }
        }
        return false;
    }

    void forEach(IntConsumer consumer) {
        for (int i = 0; i < size; i++) {
            consumer.accept(numbers[i]);
        }
    }
}
