package dev.penstock.observe;

/**
 * About how many different things were seen, in one kilobyte: the sketch HyperLogLog of Flajolet and others, with a standard
 * error of 3.3 %. Things are known by hashes of 32 bits, so from some ten million on it says too little. Not thread-safe.
 */
final class DistinctCount {
    private static final int INDEX_BITS = 10;
    private static final int REGISTERS = 1 << INDEX_BITS;

    /** Spreads a hash over 64 bits: what it was made by need not be good in all of its bits. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final byte[] registers = new byte[REGISTERS];

    void add(int hash) {
        long mixed = hash * GOLDEN;
        mixed = (mixed ^ (mixed >>> 32)) * GOLDEN;
        int index = (int) (mixed >>> (Long.SIZE - INDEX_BITS));
        int rank = Long.numberOfLeadingZeros(mixed << INDEX_BITS | 1) + 1;
        if (rank > registers[index]) {
            registers[index] = (byte) rank;
        }
    }

    /** Takes in what another has seen. */
    void add(DistinctCount other) {
        for (int i = 0; i < REGISTERS; i++) {
            registers[i] = (byte) Math.max(registers[i], other.registers[i]);
        }
    }

    long estimate() {
        double sum = 0;
        int empty = 0;
        for (byte register : registers) {
            sum += 1.0 / (1L << register);
            empty += register == 0 ? 1 : 0;
        }
        double raw = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS * REGISTERS / sum;
        boolean few = raw <= 2.5 * REGISTERS && empty > 0;
        return Math.round(few ? REGISTERS * Math.log((double) REGISTERS / empty) : raw);
    }
}
