package dev.penstock.demo;

import java.util.Locale;
import java.util.function.Consumer;

/** Prints the events of the simulation, one per line with its time: {@code 00:12  noisy neighbor: ...}. Thread-safe. */
final class IncidentLog {
    private static final long MINUTE_SECONDS = 60;

    private final Consumer<String> lines;
    private volatile boolean isSilent;

    IncidentLog(Consumer<String> lines) {
        this.lines = lines;
    }

    void print(long second, String what) {
        if (!isSilent) {
            lines.accept(String.format(
                    Locale.ROOT, "%02d:%02d  %s", second / MINUTE_SECONDS, second % MINUTE_SECONDS, what));
        }
    }

    /** Stops printing. */
    void fallSilent() {
        isSilent = true;
    }
}
