package dev.penstock.demo;

import java.util.Locale;
import java.util.function.Consumer;

/** Tells what happens in the world, each in a line with its time: {@code 00:12  noisy neighbour: ...}. Thread-safe. */
final class IncidentLog {
    private static final long MINUTE_SECONDS = 60;

    private final Consumer<String> lines;
    private volatile boolean isSilent;

    IncidentLog(Consumer<String> lines) {
        this.lines = lines;
    }

    void tell(long second, String what) {
        if (!isSilent) {
            lines.accept(String.format(
                    Locale.ROOT, "%02d:%02d  %s", second / MINUTE_SECONDS, second % MINUTE_SECONDS, what));
        }
    }

    /** Tells no more. */
    void fallSilent() {
        isSilent = true;
    }
}
