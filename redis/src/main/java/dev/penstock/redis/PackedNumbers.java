package dev.penstock.redis;

import java.util.Arrays;

/** Whole numbers as big-endian bytes, each of a given width. The scripts read and write them with {@code struct}. */
final class PackedNumbers {
    private PackedNumbers() {}

    /** Appends numbers. Not thread-safe. */
    static final class Writer {
        private byte[] bytes;
        private int size;

        Writer(int expectedSize) {
            bytes = new byte[expectedSize];
        }

        Writer put(long number, int width) {
            makeRoom(width);
            for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
                bytes[size++] = (byte) (number >>> shift);
            }
            return this;
        }

        /** Appends a number as decimal digits. */
        Writer putDigits(int number, int digits) {
            makeRoom(digits);
            int rest = number;
            for (int i = size + digits - 1; i >= size; i--) {
                bytes[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            size += digits;
            return this;
        }

        Writer put(Writer other) {
            makeRoom(other.size);
            System.arraycopy(other.bytes, 0, bytes, size, other.size);
            size += other.size;
            return this;
        }

        private void makeRoom(int more) {
            if (size + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
            }
        }

        int size() {
            return size;
        }

        byte[] bytes() {
            return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        }
    }

    /** Reads numbers in order. Not thread-safe. */
    static final class Reader {
        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        void skip(int width) {
            at += width;
        }

        long next(int width) {
            long number = 0;
            for (int end = at + width; at < end; at++) {
                number = (number << 8) | (bytes[at] & 0xff);
            }
            return number;
        }
    }
}
