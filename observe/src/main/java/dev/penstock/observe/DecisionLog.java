package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.spi.DecisionListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writes the decisions that {@link LogChoices} selects to a file, as lines of JSON.
 *
 * <p>A decision never waits for the log. Entries that it cannot accept at once, because the disk is full or slow, are
 * dropped and {@linkplain #dropped counted}. It has its own thread, which ends with {@link #close}. Closing waits at
 * most a second for pending entries, and another second if the disk does not respond.
 */
public final class DecisionLog implements DecisionListener, MeterBinder, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DecisionLog.class.getName());
    private static final int MOST_WAITING = 8_192;
    private static final int MOST_AT_ONCE = 512;
    private static final long BETWEEN_COMPLAINTS_MICROS = Duration.ofMinutes(1).toMillis() * 1_000;
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    private final LogChoices choices;
    private final DecisionLine line;
    private final LineFile file;
    private final Clock clock;
    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread writer = new Thread(this::run, "penstock-decision-log");
    private volatile boolean isClosed;
    private long complainedMicros = Long.MIN_VALUE;

    /** A decision to write. Its fields are null to make the writer check whether it must end. */
    private record Entry(
            @Nullable Request request, @Nullable Decision decision) {}

    /**
     * Starts the log.
     *
     * @param file is closed with the log
     * @param region where this process runs; null if unknown
     */
    public DecisionLog(LogChoices choices, PolicyLabels words, @Nullable String region, LineFile file, Clock clock) {
        this.choices = Expect.present(choices, "choices");
        this.line = new DecisionLine(Expect.present(words, "words"), region);
        this.file = Expect.present(file, "file");
        this.clock = Expect.present(clock, "clock");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns the selection of decisions to log, with the watched attributes. */
    public LogChoices choices() {
        return choices;
    }

    /** Returns the number of decisions that were written. */
    public long written() {
        return written.sum();
    }

    /** Returns the number of decisions that should have been written but were not. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("rate.limiter.decision.log.written", this, DecisionLog::written)
                .description("Decisions written to the decision log. Only with a decision log.")
                .register(registry);
        FunctionCounter.builder("rate.limiter.decision.log.dropped", this, DecisionLog::dropped)
                .description("Decisions that could not be written to the decision log. Only with a decision log.")
                .register(registry);
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        if (choices.takes(request, decision) && (isClosed || !waiting.offer(new Entry(request, decision)))) {
            dropped.increment();
        }
    }

    private void run() {
        List<Entry> entries = new ArrayList<>(MOST_AT_ONCE);
        boolean isGivenUp = false;
        while (!isGivenUp && (!isClosed || !waiting.isEmpty())) {
            try {
                entries.add(waiting.take());
                waiting.drainTo(entries, MOST_AT_ONCE - 1);
                write(entries);
            } catch (InterruptedException e) { // interrupted by close(), which does not wait any longer
                isGivenUp = true;
            }
            entries.clear();
        }
        dropped.add(waiting.size());
        try {
            file.close();
        } catch (IOException e) {
            complain(e);
        }
    }

    private void write(List<Entry> entries) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(512 * entries.size());
        int count = 0;
        try {
            for (Entry entry : entries) {
                if (entry.request != null && entry.decision != null) {
                    line.write(entry.request, entry.decision, lines);
                    count++;
                }
            }
            file.append(lines.toByteArray());
            written.add(count);
        } catch (IOException | RuntimeException e) {
            dropped.add(count);
            complain(e);
        }
    }

    private void complain(Exception failure) {
        long now = clock.micros();
        if (complainedMicros == Long.MIN_VALUE || now - complainedMicros >= BETWEEN_COMPLAINTS_MICROS) {
            complainedMicros = now;
            LOG.log(
                    Level.WARNING,
                    "the decision log " + file.path() + " cannot be written: decisions are dropped",
                    failure);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        boolean unused = waiting.offer(new Entry(null, null));
        try {
            writer.join(LONGEST_CLOSE.toMillis());
            if (writer.isAlive()) {
                writer.interrupt();
                writer.join(LONGEST_CLOSE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
