package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.time.Duration;

/** Prints the progress on the terminal: the current measurement, the elapsed time, and results. */
public final class Progress {
    private final PrintStream out;
    private final int steps;
    private final long startNanos = System.nanoTime();
    private int step;

    public Progress(PrintStream out, int steps) {
        this.out = out;
        this.steps = steps;
    }

    /** Begins a line, which stays open until {@link #done}. */
    public void begin(String caseName, String contender) {
        step++;
        out.printf("[%2d/%d] %6s  %-21s %-26s ", step, steps, elapsed(), caseName, contender);
        out.flush();
    }

    public void done(String figure) {
        out.println(figure);
    }

    public String elapsed() {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
        return "%d:%02d".formatted(elapsed.toMinutes(), elapsed.toSecondsPart());
    }
}
