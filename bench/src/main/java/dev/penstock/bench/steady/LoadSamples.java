package dev.penstock.bench.steady;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Every request of one load: when it was due, how long its answer took from then, and what it was. Not thread-safe: the
 * event loop writes it, and others read it after the load has ended.
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

    /** Notes how late the generator itself was with a request. */
    void sentLate(long micros) {
        latestMicros = Math.max(latestMicros, micros);
    }

    /** Notes a request that the service did not take, and that is sent again. */
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

    /** The number of requests that were sent and got no answer at all. */
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

    /** The most that the generator was behind its own schedule, in microseconds. */
    long generatorLateMicros() {
        return latestMicros;
    }

    /** The latencies of requests that were due in a span of time, answered ones only, in order of size. */
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

    /** The smallest of some sorted values that a share of them does not exceed; NaN if there are none. */
    static double quantile(int[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
    }
}
