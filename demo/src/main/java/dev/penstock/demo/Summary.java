package dev.penstock.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts requests and answers by client name. Thread-safe. */
final class Summary {
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final LongAdder unanswered = new LongAdder();
    private final AtomicReference<@Nullable String> firstUnanswered = new AtomicReference<>();

    private record Row(LongAdder allowed, LongAdder denied, LongAdder challenged) {}

    /**
     * The counts of some clients.
     *
     * @param denied the denied requests, challenged ones included
     */
    record Counts(long allowed, long denied, long challenged) {
        Counts plus(Counts other) {
            return new Counts(allowed + other.allowed, denied + other.denied, challenged + other.challenged);
        }

        Counts minus(Counts other) {
            return new Counts(allowed - other.allowed, denied - other.denied, challenged - other.challenged);
        }

        long requests() {
            return allowed + denied;
        }
    }

    Summary(List<String> names) {
        names.forEach(name -> rows.putIfAbsent(name, new Row(new LongAdder(), new LongAdder(), new LongAdder())));
    }

    /**
     * Counts a decision.
     *
     * @param name one of the names that the summary was created with
     */
    void answered(String name, Answer answer) {
        Row row = rows.get(name);
        if (row != null) {
            (answer == Answer.ALLOWED ? row.allowed : row.denied).increment();
            if (answer == Answer.CHALLENGED) {
                row.challenged.increment();
            }
        }
    }

    /** Returns the counts of a client; 0 if it is unknown. */
    Counts counts(String name) {
        Row row = rows.get(name);
        return row == null
                ? new Counts(0, 0, 0)
                : new Counts(row.allowed.sum(), row.denied.sum(), row.challenged.sum());
    }

    /** Counts an error instead of a decision. */
    void unanswered(String what) {
        firstUnanswered.compareAndSet(null, what);
        unanswered.increment();
    }

    String table() {
        StringBuilder text = new StringBuilder(line("", "requests", "allowed", "denied", "challenged"));
        Counts all = new Counts(0, 0, 0);
        for (String name : rows.keySet()) {
            Counts counts = counts(name);
            text.append(line(name, counts));
            all = all.plus(counts);
        }
        text.append(line("all", all));
        if (firstUnanswered.get() != null) {
            text.append("without a decision: ")
                    .append(unanswered.sum())
                    .append(", the first: ")
                    .append(firstUnanswered.get())
                    .append('\n');
        }
        return text.toString();
    }

    private static String line(String name, Counts counts) {
        return line(
                name,
                number(counts.requests()),
                number(counts.allowed),
                number(counts.denied),
                number(counts.challenged));
    }

    private static String line(String name, String requests, String allowed, String denied, String challenged) {
        return String.format("%-14s %10s %10s %10s %10s%n", name, requests, allowed, denied, challenged);
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
