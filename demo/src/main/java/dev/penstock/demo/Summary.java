package dev.penstock.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was asked and answered, by name. Thread-safe. */
final class Summary {
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final LongAdder unanswered = new LongAdder();
    private final AtomicReference<@Nullable String> firstUnanswered = new AtomicReference<>();

    private record Row(LongAdder allowed, LongAdder denied) {}

    Summary(List<String> names) {
        names.forEach(name -> rows.putIfAbsent(name, new Row(new LongAdder(), new LongAdder())));
    }

    /** @param name one of those that there are from the start */
    void answered(String name, boolean isAllowed) {
        Row row = rows.get(name);
        if (row != null) {
            (isAllowed ? row.allowed : row.denied).increment();
        }
    }

    /** There was an error in the place of a decision. */
    void unanswered(String what) {
        firstUnanswered.compareAndSet(null, what);
        unanswered.increment();
    }

    String table() {
        StringBuilder text = new StringBuilder(line("", "asked", "allowed", "denied"));
        long allAllowed = 0;
        long allDenied = 0;
        for (Map.Entry<String, Row> each : rows.entrySet()) {
            long allowed = each.getValue().allowed.sum();
            long denied = each.getValue().denied.sum();
            text.append(line(each.getKey(), allowed, denied));
            allAllowed += allowed;
            allDenied += denied;
        }
        text.append(line("all", allAllowed, allDenied));
        if (firstUnanswered.get() != null) {
            text.append("without a decision: ")
                    .append(unanswered.sum())
                    .append(", the first: ")
                    .append(firstUnanswered.get())
                    .append('\n');
        }
        return text.toString();
    }

    private static String line(String name, long allowed, long denied) {
        return line(name, number(allowed + denied), number(allowed), number(denied));
    }

    private static String line(String name, String asked, String allowed, String denied) {
        return String.format("%-14s %10s %10s %10s%n", name, asked, allowed, denied);
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
