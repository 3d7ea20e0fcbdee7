package dev.penstock.bench.steady;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Every request of one load: when it was due, its latency from then, and its outcome. Not thread-safe: the event loop
 * writes it, and others read it after the load has ended.
 */
final class LoadSamples {
    private static final int UNANSWERED = -1;

    private int[] dueMicros = new int[1 << 16];
    private int[] latencyMicros = new int[1 << 16];
    private AnswerKind[] kinds = new AnswerKind[1 << 16];
    private final BitSet sent = new BitSet();
    private int size;
    private long latestMicros;
    private long resent;

    /** Adds a request and returns its number. */
    int add(long due) {
        if (size == dueMicros.length) {
            dueMicros = Arrays.copyOf(dueMicros, size * 2);
            latencyMicros = Arrays.copyOf(latencyMicros, size * 2);
            kinds = Arrays.copyOf(kinds, size * 2);
        }
        dueMicros[size] = (int) due;
        latencyMicros[size] = UNANSWERED;
        return size++;
    }

    void sent(int request) {
        sent.set(request);
    }

    void answered(int request, long nowMicros, AnswerKind kind) {
        latencyMicros[request] = (int) (nowMicros - dueMicros[request]);
        kinds[request] = kind;
    }

    /** Records by how much the generator itself was late with a request. */
    void sentLate(long micros) {
        latestMicros = Math.max(latestMicros, micros);
    }

    /** Records a request that the service did not process and that is sent again. */
    void resent() {
        resent++;
    }

    int size() {
        return size;
    }

    boolean isAnswered(int request) {
        return latencyMicros[request] != UNANSWERED;
    }

    int dueMicros(int request) {
        return dueMicros[request];
    }

    int latencyMicros(int request) {
        return latencyMicros[request];
    }

    AnswerKind kind(int request) {
        if (isAnswered(request)) {
            return kinds[request];
        }
        return sent.get(request) ? AnswerKind.FAILED : AnswerKind.UNSENT;
    }

    int count(AnswerKind kind) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += kind(i) == kind ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of requests that were sent but never answered. */
    int lost() {
        int lost = 0;
        for (int i = 0; i < size; i++) {
            lost += !isAnswered(i) && sent.get(i) ? 1 : 0;
        }
        return lost;
    }

    int answered() {
        int answered = 0;
        for (int i = 0; i < size; i++) {
            answered += isAnswered(i) ? 1 : 0;
        }
        return answered;
    }

    long resentCount() {
        return resent;
    }

    /** Returns by how much the generator was at most behind its schedule, in microseconds. */
    long generatorLateMicros() {
        return latestMicros;
    }

    /** Returns the latencies of answered requests that were due in a time range, sorted. */
    int[] sortedLatencies(long fromMicros, long toMicros) {
        int[] found = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (isAnswered(i) && dueMicros[i] >= fromMicros && dueMicros[i] < toMicros) {
                found[count++] = latencyMicros[i];
            }
        }
        int[] all = Arrays.copyOf(found, count);
        Arrays.sort(all);
        return all;
    }

    /** Returns the smallest of some sorted values that this share of them does not exceed; NaN if there are none. */
    static double quantile(int[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
    }
}
