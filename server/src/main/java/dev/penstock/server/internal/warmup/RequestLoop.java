package dev.penstock.server.internal.warmup;

import dev.penstock.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over one connection, one step after the other in a thread of its own, until it is closed, and keeps how long
 * the last of them took. Thread-safe.
 */
public final class RequestLoop implements AutoCloseable {
    /** The number of requests whose latency is kept. */
    public static final int KEPT = 200;

    private static final double PERCENTILE = 0.99;

    /**
     * One step of the loop.
     *
     * @param requests are sent together
     * @param isTimed whether how long they take counts
     * @param then is given the body of the last response; null for nothing
     */
    public record Step(
            List<OutgoingRequest> requests,
            boolean isTimed,
            @Nullable Continuation then) {
        /** A step of one request whose latency counts. */
        public static Step timed(OutgoingRequest request) {
            return new Step(List.of(request), true, null);
        }

        /** A step whose latency does not count. */
        public static Step untimed(List<OutgoingRequest> requests) {
            return new Step(requests, false, null);
        }
    }

    /** What is sent after a response. */
    @FunctionalInterface
    public interface Continuation {
        /** The requests that follow; none for nothing. */
        List<OutgoingRequest> after(byte[] response);
    }

    private final Clock clock = Clock.system();
    private final Connection connection;
    private final IntFunction<Step> steps;
    private final Thread thread;
    private final long[] latencyMicros = new long[KEPT];
    private long timed;
    private long sent;
    private volatile boolean isClosed;
    private volatile @Nullable IOException failure;

    private RequestLoop(String name, Connection connection, IntFunction<Step> steps) {
        this.connection = connection;
        this.steps = steps;
        this.thread = new Thread(this::run, "penstock-warm-up-" + name);
        thread.setDaemon(true);
    }

    /**
     * Starts a loop.
     *
     * @param name for the thread
     * @param connection closed with the loop
     * @param steps what is sent in each step, from 0
     */
    public static RequestLoop start(String name, Connection connection, IntFunction<Step> steps) {
        RequestLoop loop = new RequestLoop(name, connection, steps);
        loop.thread.start();
        return loop;
    }

    private void run() {
        try {
            for (int i = 0; !isClosed; i++) {
                Step step = steps.apply(i & Integer.MAX_VALUE);
                long begin = clock.micros();
                byte[] response = connection.exchange(step.requests());
                note(step, clock.micros() - begin);
                Continuation then = step.then();
                if (then != null) {
                    byte[] unused = connection.exchange(then.after(response));
                }
            }
        } catch (IOException e) {
            failure = isClosed ? null : e;
        }
    }

    private synchronized void note(Step step, long micros) {
        sent += step.requests().size();
        if (step.isTimed()) {
            latencyMicros[(int) (timed++ % KEPT)] = micros;
        }
    }

    /** The number of requests that were answered. */
    public synchronized long sent() {
        return sent;
    }

    /** The number of requests whose latency counted. */
    public synchronized long timed() {
        return timed;
    }

    /** The 99th percentile of the last {@value #KEPT} latencies; zero where there is none. */
    public synchronized Duration percentile99() {
        int count = (int) Math.min(timed, KEPT);
        long[] sorted = Arrays.copyOf(latencyMicros, count);
        Arrays.sort(sorted);
        return count == 0
                ? Duration.ZERO
                : Duration.of(sorted[(int) Math.ceil(PERCENTILE * count) - 1], ChronoUnit.MICROS);
    }

    /** Why it ended before it was closed; null where it did not. */
    public @Nullable IOException failure() {
        return failure;
    }

    @Override
    public void close() {
        isClosed = true;
        connection.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
